import { allAdapters } from "../adapters/agents.ts";
import { declareEvents } from "../adapters/declare-events.ts";
import { integrationOf } from "../adapters/integrations.ts";
import { currentConfig } from "../config/cache/current-config.ts";
import { eventConfig } from "../config/cache/event-config.ts";
import type { Config } from "../config/config.ts";
import type { Places } from "../config/find/discover.ts";
import { handlersOf } from "../config/schema/definition.ts";
import { type HookInternals, internals } from "../core/internals.ts";
import type { Handler } from "../core/ports.ts";
import type { WrittenDefinition } from "../core/registration/hook-definition.ts";
import { definitionParts } from "../core/registration/prepare-hook.ts";
import { inlineHandler } from "../handlers/inline.ts";
import { createHooks } from "../index.ts";
import { installationOf } from "../install/installation.ts";
import { needsOf } from "../install/needs.ts";
import { checkFile } from "../install/settings-check.ts";
import { placesIn } from "../install/settings-files.ts";
import { readInlineRules } from "../rules/rules.ts";
import type { FoundConfig } from "./call.ts";

/**
 * Reads what decides an event from the configuration's files and caches it. Every hook is checked as `validate` does,
 * whatever the event: a configuration that is refused there comes into force for no event.
 */
export async function readConfigFiles(places: Places, event: string, host: string): Promise<FoundConfig> {
  const { config } = await currentConfig(await checkingSet(), places);
  const notice = await missingEventsNotice(config, host, places.environment ?? process.env);
  return { config: eventConfig(config, event), notice };
}

/** The plug-ins that the user's or the machine's configuration allows to act by themselves. */
export async function readAllowedMods(places: Places): Promise<readonly string[]> {
  const { config } = await currentConfig(await checkingSet(), places);
  return config.settings.mods.allow ?? [];
}

/** A hook set that checks definitions and runs none. */
async function checkingSet(): Promise<HookInternals> {
  const hooks = createHooks();
  declareEvents(hooks, await allAdapters());
  const set = internals(hooks);
  const { definitions } = set;
  set.definitions = {
    ...definitions,
    prepare: async (definition, site) => {
      const { events, options } = definitionParts(definition);
      const handler = uncompiled(definition, [events].flat());
      return handler === undefined
        ? definitions.prepare(definition, site)
        : set.prepare(events, options, handler);
    },
  };
  return set;
}

/** What a set has to know of rules and modules. Rules of files were compiled when these were read, ours by our tests. */
function uncompiled(definition: WrittenDefinition, events: readonly string[]): Handler | undefined {
  const { type } = definition;
  if (type === "inline")
    return inlineHandler(
      { rules: readInlineRules(definition), decide: () => ({ action: "continue" }) },
      events,
    );
  const isModule = handlersOf({ ...definition }).some((part) => part[0].type === "module");
  return isModule ? { type, run: () => undefined } : undefined;
}

/** Warns when hooks need events, or tools, for which the installed settings of the agent do not call us. Never rejects. */
async function missingEventsNotice(
  config: Config,
  host: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const integration = await integrationOf(host);
    const needs = needsOf(config, integration);
    const installation = installationOf(integration, placesIn(config.trust.root, environment));
    const installed = installation.installed.map((file) => checkFile(file, needs, installation));
    if (installed.length === 0) return undefined;
    const missing = needs.events.flatMap(({ native }) => {
      const calls = installed.filter(({ events }) => events.includes(native));
      const isNarrow = ({ drifted }: (typeof installed)[number]) =>
        drifted.some((one) => one.native === native && one.narrow);
      if (calls.length === 0) return [native];
      return calls.every(isNarrow) ? [`${native} for more tools`] : [];
    });
    if (missing.length === 0) return undefined;
    return `The hooks need ${missing.join(", ")}, but ${integration.table.title} does not call Tenterhook for that. Run: tenterhook install --sync`;
  } catch {
    return undefined;
  }
}
