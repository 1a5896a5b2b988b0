import { dirname } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { pathsOf } from "../../core/match/tool-inputs.ts";
import { toolOf } from "../../core/match/tool-names.ts";
import { readEnvFile } from "../../node/env-file.ts";
import { childEnvironment } from "../../node/process/environment.ts";
import type { Sandbox } from "../../node/process/sandbox/sandbox.ts";
import { CHANGES_PROGRAMS } from "../../rules/shell/programs/program-name.ts";

export interface VariableSource {
  readonly hook: string;
  readonly project: string;
  readonly normalisePath: (path: string, cwd: string) => string;
}

type Read = (event: AnyEvent, source: VariableSource) => string | undefined;

/** The variables a command gets with every event; those without a value are not set. */
const VARIABLES: Readonly<Record<string, Read>> = {
  TENTERHOOK_EVENT: (event) => event.hook_event_name,
  TENTERHOOK_HOOK_NAME: (_event, { hook }) => hook,
  TENTERHOOK_TOOL: (event) => toolOf(event),
  TENTERHOOK_SESSION_ID: (event) => event.session_id,
  TENTERHOOK_PATH: (event, { normalisePath }) => {
    const [path] = pathsOf(event);
    return path === undefined ? undefined : normalisePath(path, event.cwd);
  },
  TENTERHOOK_COMMAND: ({ tool_input: input }) =>
    isRecord(input) && typeof input.command === "string" ? input.command : undefined,
  TENTERHOOK_PROJECT_DIR: (_event, { project }) => project,
  CLAUDE_PROJECT_DIR: (_event, { project }) => project,
};

/** The longest variable: on Linux 128 kB with its name. */
const MOST_BYTES = 131_000;

/**
 * The variables of one event. Those of an outer hook, in which we may be running ourselves, are never handed on.
 *
 * @throws HookFailureError `error` for a value that no variable can hold: a script that looks at the variable alone must
 * not take a part for the whole, or a missing one for nothing.
 */
export function eventVariables(event: AnyEvent, source: VariableSource): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = {};
  for (const [name, read] of Object.entries(VARIABLES)) {
    const value = read(event, source);
    variables[name] = value;
    if (value === undefined) continue;
    if (value.includes("\0") || (value.length > MOST_BYTES / 3 && Buffer.byteLength(value) > MOST_BYTES)) {
      throw new HookFailureError(
        "error",
        `${name} can't be set: ${value.includes("\0") ? "a variable can't hold a NUL" : `${Buffer.byteLength(value)} bytes are more than a variable holds`}. The hook was not run.`,
      );
    }
  }
  return variables;
}

/** The variables of a program that gets none of an event. */
export function sessionVariables({ hook, project }: VariableSource): Record<string, string | undefined> {
  const none = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, undefined]));
  return {
    ...none,
    TENTERHOOK_HOOK_NAME: hook,
    TENTERHOOK_PROJECT_DIR: project,
    CLAUDE_PROJECT_DIR: project,
  };
}

/**
 * What earlier hooks of the session have left for a hook in the session's file of variables, and the file: without secrets, and
 * without what decides which programs a hook starts, since a gate must not be turned into another program.
 */
export function carriedVariables(
  env_file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  if (env_file === undefined) return {};
  const left = Object.entries(childEnvironment(readEnvFile(env_file, environment)));
  return {
    ...Object.fromEntries(left.filter(([name]) => !CHANGES_PROGRAMS.test(`${name}=`))),
    TENTERHOOK_ENV_FILE: env_file,
    CLAUDE_ENV_FILE: env_file,
  };
}

/** A sandbox in which a hook that may write can write the file of variables, too. */
export function sandboxWith(env_file: string | undefined, sandbox: Sandbox): Sandbox {
  if (env_file === undefined) return sandbox;
  return { ...sandbox, workspace: [...sandbox.workspace, dirname(env_file)] };
}
