import { payloadOf } from "../adapters/agents.ts";
import { listOf } from "../core/base/json.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { HookInternals } from "../core/internals.ts";
import type { HandlerTypeName } from "../core/registration/handler-types.ts";
import type { WrittenDefinition } from "../core/registration/hook-definition.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import { EXTERNAL_MAKERS, type Make } from "../handlers/external-handlers.ts";
import type { HandlerPorts, ModuleRunner } from "../handlers/handler.ts";
import { type MakeHandler, readyHook } from "../handlers/ready-hook.ts";
import { ownProgram } from "../node/own-program.ts";
import { AGENT_PID, programAbove } from "../node/process/identity/parent-program.ts";
import { nodeRulePorts } from "../node/rule-ports.ts";
import type { HookCall, Host } from "./call.ts";
import { MODULE_FLAG } from "./process/flags.ts";

/** The handlers that ask programs and servers; all others need models, MCP servers or rules as they are written. */
const MAKERS: { readonly [Name in HandlerTypeName]?: Make<Name> } = EXTERNAL_MAKERS;

/** Makes the handler of a hook that is not made of rules. */
export const makeOther: MakeHandler = async (type, settings, context) => {
  const here = MAKERS[type];
  if (here !== undefined) return here(settings, context);
  const { makeWithModels } = await import("./make-with-models.ts");
  return makeWithModels(type, settings, context);
};

/** Prepares a hook that is not made of rules. */
export async function prepareOther(
  set: Pick<HookInternals, "prepare">,
  definition: WrittenDefinition,
  site: DefinitionSite,
  { call, host }: { readonly call: HookCall; readonly host: Host },
): Promise<PreparedHook> {
  const ports: HandlerPorts = {
    rules: nodeRulePorts,
    payloadOf,
    environment: environmentFor(definition, call),
    runner: runnerIn(call.cwd),
    leave: (left) => host.leave(left, call),
  };
  const prepare = await readyHook(definition, site, ports, host.makeFor(call));
  return prepare(set);
}

/** The variables of the call, with the agent's process for a hook that wants it. */
function environmentFor(definition: WrittenDefinition, { environment, parent }: HookCall): NodeJS.ProcessEnv {
  if (!listOf(Reflect.get(definition, "env")).includes(AGENT_PID)) return environment;
  return { ...environment, [AGENT_PID]: String(programAbove(parent) ?? parent) };
}

/** Sends what a module prints to stderr: its answers go to descriptor 3. */
const APART = 'exec "$@" 3>&1 >&2';

function runnerIn(cwd = "/"): ModuleRunner {
  return (module) => {
    const { file, args } = ownProgram("hook", MODULE_FLAG, module);
    return process.platform === "win32"
      ? { file, args, cwd }
      : { file: "/bin/sh", args: ["-c", APART, "sh", file, ...args], cwd };
  };
}
