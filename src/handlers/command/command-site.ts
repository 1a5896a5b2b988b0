import type { AnyEvent } from "../../core/event-types.ts";
import { childEnvironment } from "../../node/process/environment.ts";
import type { Sandbox } from "../../node/process/sandbox.ts";
import type { ProgramCall } from "../../node/process/start-program.ts";
import type { HandlerSetting, HandlerSettings } from "../handler-types.ts";
import { commandCall, commandProblem } from "./command-call.ts";
import { type Command, readCommand, textList } from "./command-settings.ts";
import { eventVariables, sessionVariables } from "./variables.ts";

/** A command with everything its definition and its place say of how it is run. */
export interface CommandSite {
  readonly command: Command;
  /** Why it will fail for certain. */
  readonly problem: string | undefined;
  /** How it is started for an event. Throws a HookFailureError when it can't be. */
  readonly call: (event: AnyEvent) => ProgramCall;
  /** How it is started for all events to come. */
  readonly callForAll: () => ProgramCall;
}

/**
 * Reads what a definition says of its command.
 *
 * @throws TenterhookError `invalid_option` for a definition that does not say what to run.
 */
export function commandSite(settings: HandlerSettings, { site, ports }: HandlerSetting): CommandSite {
  const { root, project = root, sandbox: mode = "off" } = site;
  const command = readCommand(settings);
  const handedOn = settings.env === undefined ? [] : textList(settings.env, "env");
  const sandbox: Sandbox | undefined = mode === "off" ? undefined : { mode, workspace: [project] };
  const source = {
    hook: settings.name,
    project,
    normalisePath: (path: string, cwd: string) => ports.rules.normalisePath(path, cwd),
  };
  const callWith = (variables: Readonly<Record<string, string | undefined>>): ProgramCall => {
    const environment = { ...childEnvironment(ports.environment, handedOn), ...variables };
    return {
      ...commandCall(command, root, environment),
      cwd: root,
      environment,
      ...(sandbox === undefined ? {} : { sandbox }),
    };
  };
  return {
    command,
    problem: commandProblem(command, root, ports.environment),
    call: (event) => callWith(eventVariables(event, source)),
    callForAll: () => callWith(sessionVariables(source)),
  };
}
