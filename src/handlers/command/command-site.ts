import { mkdirSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { TenterhookError } from "../../core/base/errors.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { type ClaudePlugin, claudePlugin, pluginVariables } from "../../node/claude-plugins.ts";
import { childEnvironment } from "../../node/process/environment.ts";
import { firstScript } from "../../node/process/first-script.ts";
import type { Sandbox } from "../../node/process/sandbox/sandbox.ts";
import type { ProgramCall } from "../../node/process/start-program.ts";
import { checkTrust, type HandlerContext, type HandlerSettings } from "../handler.ts";
import { type Command, commandCall, commandProblem, missingAfter, readCommand } from "./command-call.ts";
import { carriedVariables, eventVariables, sandboxWith, sessionVariables } from "./variables.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface CommandSite {
  readonly command: Command;
  /** Why it can't work now, as far as this shows without running it. */
  readonly problem: () => string | undefined;
  /** What was certainly missing when it ended with this exit code. */
  readonly missing: (exit_code: number, event: AnyEvent) => string | undefined;
  /** How it starts for an event, with the session's file of variables, if there is one. Throws a HookFailureError when it can't. */
  readonly call: (event: AnyEvent, env_file?: string) => ProgramCall;
  /** Throws a HookFailureError when its files are no longer those that are trusted: it may have run others. */
  readonly checkAfter: () => void;
  /** How it starts for all events to come. */
  readonly callForAll: () => ProgramCall;
}

/**
 * Reads what a definition says of its command.
 *
 * @throws TenterhookError `invalid_option` for a definition that does not say what to run.
 */
export function commandSite(
  settings: HandlerSettings<"command">,
  { site, ports }: HandlerContext,
): CommandSite {
  const { root, owner, project = root, sandbox: mode = "off" } = site;
  const command = readCommand(settings);
  const { env: passedOn = [], set_env = {}, payload, plugin } = settings;
  checkVariables(set_env);
  const sandbox: Sandbox | undefined = mode === "off" ? undefined : { mode, workspace: [project] };
  const source = {
    hook: settings.name,
    project,
    normalisePath: (path: string, cwd: string) => ports.rules.normalisePath(path, cwd),
  };
  // Taken once: reading the variables of our process costs more than anything else we do at a start. Secrets that are
  // handed on are read again, since they may be renewed.
  const base = childEnvironment(ports.environment);
  const agentProject = (): string => {
    const given = ports.environment.CLAUDE_PROJECT_DIR;
    // A command may name its files by this variable, and only those below the project's root are trusted.
    const isSame = given !== undefined && source.normalisePath(given, root) === project;
    return given !== undefined && (isSame || owner !== "project") ? given : project;
  };
  const pluginNow = () =>
    plugin === undefined ? undefined : claudePlugin(plugin, ports.environment, project);
  // Asked each time: the agent may have updated the plug-in since.
  const starting = (): Starting => {
    const found = pluginNow();
    return {
      command: found === undefined ? command : withPlugin(command, found),
      payload,
      owner,
      root,
      project: agentProject,
      set: found === undefined ? set_env : { ...pluginVariables(found), ...set_env },
      normalisePath: source.normalisePath,
    };
  };
  const noPlugin = `Claude Code has no plug-in ${plugin} any more: install it there, or take out its hooks.`;
  const callWith = (
    variables: Variables,
    cwd: string,
    { command: now, set }: Starting,
    env_file?: string,
  ): ProgramCall => {
    checkTrust(site);
    if (plugin !== undefined) {
      const found = pluginNow();
      if (found === undefined) throw new HookFailureError("missing", noPlugin);
      makeFolder(found.data);
    }
    const environment: Record<string, string | undefined> = { ...base };
    for (const name of passedOn) environment[name] = ports.environment[name];
    Object.assign(environment, variables, set);
    return {
      ...commandCall(now, root, environment),
      cwd,
      environment,
      shielded: true,
      ...(sandbox === undefined ? {} : { sandbox: sandboxWith(env_file, sandbox) }),
    };
  };
  return {
    command,
    problem: () => {
      const now = starting();
      const places = { folder: fixedFolder(now), project };
      const { set } = now;
      if (plugin !== undefined && pluginNow() === undefined) return noPlugin;
      return commandProblem(now.command, root, places, { ...ports.environment, ...set }, set);
    },
    missing: (exit_code, { cwd }) => {
      const now = starting();
      const variables = { ...ports.environment, ...now.set };
      return missingAfter(exit_code, now.command, startFolder(now, cwd), variables, now.set);
    },
    call: (event, env_file) => {
      const variables =
        payload === "native"
          ? { ...sessionVariables(source), CLAUDE_PROJECT_DIR: agentProject() }
          : eventVariables(event, source);
      const carried = carriedVariables(env_file, ports.environment);
      const now = starting();
      return callWith({ ...carried, ...variables }, startFolder(now, event.cwd), now, env_file);
    },
    checkAfter: () => checkTrust(site),
    callForAll: () => callWith(sessionVariables(source), root, starting()),
  };
}

/** A program that can't store anything says so itself. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // Read-only, or a file.
  }
}

/** Without a shell, Claude Code itself puts the folders into the arguments. */
function withPlugin(command: Command, found: ClaudePlugin): Command {
  if (command.kind !== "program") return command;
  const variables = pluginVariables(found);
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(CLAUDE_PLUGIN_\w+)\}/g, (whole, name: string) => variables[name] ?? whole);
  return { ...command, file: filled(command.file), args: command.args.map(filled) };
}

/** @throws TenterhookError `invalid_option` for a variable that no program can have. */
function checkVariables(set: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(set)) {
    if (/^[A-Za-z_]\w*$/.test(name) && !value.includes("\0")) continue;
    throw new TenterhookError("invalid_option", `set_env: ${JSON.stringify(name)} can't be set.`, {
      hint: "A name has letters, digits and _, and a value has no NUL.",
    });
  }
}

/** A command, and what decides where it starts. */
interface Starting {
  readonly command: Command;
  readonly payload: "native" | "tenterhook" | undefined;
  readonly owner: "user" | "project" | undefined;
  readonly root: string;
  /** The project that the agent works on. */
  readonly project: () => string;
  /** The variables that the definition sets. */
  readonly set: Readonly<Record<string, string>>;
  readonly normalisePath: (path: string, cwd: string) => string;
}

/** The folder of every start; `undefined` when that depends on the folder of the session. */
function fixedFolder({ payload, owner, root }: Starting): string | undefined {
  return payload === "native" || owner === "user" ? undefined : root;
}

/**
 * Where a command starts when the session works in `given`. An agent starts its hooks there, and so do we, unless a
 * relative name would then lead to another file than the one that was meant: for a hook of the user the file next to his
 * configuration, for a hook of a project the script that was trusted. If the folder was deleted, Claude Code starts its
 * hooks in the project.
 */
function startFolder(starting: Starting, given: string): string {
  const { command, payload, owner, root, set, project, normalisePath } = starting;
  const fixed = fixedFolder(starting);
  if (fixed !== undefined) return fixed;
  const cwd = payload === "native" && kindOf(given) !== "folder" ? project() : given;
  if ((payload === "native" && owner !== "project") || normalisePath(cwd, "/") === root) return cwd;
  const words = command.kind === "shell" ? command.line : [command.file, ...command.args];
  const script = firstScript(words, root, { ...set, PWD: "." });
  const isRelative = script !== undefined && !isAbsolute(script.path);
  if (owner === "project") return isRelative ? root : cwd;
  return isRelative && kindOf(resolve(root, script.path)) === "file" ? root : cwd;
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? undefined : status.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
