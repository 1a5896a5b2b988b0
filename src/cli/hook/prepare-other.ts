import type { DefinitionSite } from "../../core/contracts/definition-site.ts";
import type { HookInternals } from "../../core/internals.ts";
import type { HandlerTypeName } from "../../core/registration/handler-types.ts";
import type { HookDefinition } from "../../core/registration/hook-definition.ts";
import type { PreparedHook } from "../../core/registration/registered-hook.ts";
import { EXTERNAL_MAKERS, type Make } from "../../handlers/external-handlers.ts";
import type { HandlerPorts } from "../../handlers/handler.ts";
import { type MakeHandler, readyHook } from "../../handlers/ready-hook.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import type { WarmProcess } from "./served/warm/loaded-handlers.ts";

/** The handlers that files of the hot path can make; all others come from modules. */
const MAKERS: { readonly [Name in HandlerTypeName]?: Make<Name> } = EXTERNAL_MAKERS;

const make: MakeHandler = async (type, settings, context) => {
  const here = MAKERS[type];
  if (here !== undefined) return here(settings, context);
  const { makeWithModules } = await import("./slow-path.ts");
  return makeWithModules(type, settings, context);
};

/** Prepares a hook that is not made of rules. */
export async function prepareOther(
  set: Pick<HookInternals, "prepare">,
  definition: HookDefinition,
  site: DefinitionSite,
  warm?: WarmProcess,
): Promise<PreparedHook> {
  const leave: HandlerPorts["leave"] = async (hook) => {
    const { startReader } = await import("./background/start-async.ts");
    startReader(hook);
  };
  const ports = { rules: nodeRulePorts, environment: process.env, one_event: true, leave } as const;
  const prepare = await readyHook(definition, site, ports, warm?.keeping(make) ?? make);
  return prepare(set);
}
