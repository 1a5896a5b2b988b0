import { standingConfig } from "../../config/cache/current-config.ts";
import { eventConfig, writeKept } from "../../config/cache/keep.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import type { Places } from "../../config/find/discover.ts";
import type { DefinitionSite } from "../../core/contracts/definition-site.ts";
import type { Hooks } from "../../core/hooks.ts";
import type { PreparedHook } from "../../core/registration/registered-hook.ts";
import type { HookDefinition } from "../../handlers/definition.ts";
import { readyDefinition } from "../../handlers/definition.ts";
import { lazyJudges } from "../../models/lazy-judges.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { checkingSet } from "./checking-set.ts";
import { driftNotice } from "./drift.ts";

/*
 * What most calls of `tenterhook hook` do not need: it is a file of its own, loaded when nothing is kept or a hook is no
 * rule.
 */

/** What an event is decided by, when that was not kept. */
export interface OpenedConfig {
  readonly config: EventConfig;
  /** What the user must know of a configuration that has changed. */
  readonly notice?: string;
}

/**
 * What an event of an agent is decided by, from the configuration's files; kept for the next process. Every hook of it is
 * checked as `validate` does, whatever the event: what is refused there comes into force at none.
 */
export async function openEventConfig(places: Places, event: string, host: string): Promise<OpenedConfig> {
  const { environment = process.env } = places;
  const { config, inputs, kept } = await standingConfig(checkingSet(), places);
  if (kept !== undefined) await writeKept(places, { config, inputs, kept }).catch(() => undefined);
  const notice = await driftNotice(config, host, environment);
  return { config: eventConfig(config, event), ...(notice === undefined ? {} : { notice }) };
}

/** Makes a hook ready that leaves the process: everything but rules. */
export async function prepareOther(
  hooks: Hooks,
  definition: HookDefinition,
  site: DefinitionSite,
): Promise<PreparedHook> {
  const prepare = await readyDefinition(definition, site, {
    rules: nodeRulePorts,
    environment: process.env,
    judges: lazyJudges({ environment: process.env }),
    judgeAgent: async (request) => (await import("../../agent.ts")).judgeWithAgent(request),
  });
  return prepare(hooks);
}
