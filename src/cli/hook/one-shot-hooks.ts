import { prepareConfig } from "../../config/apply.ts";
import type { Config } from "../../config/config.ts";
import { idSequence, systemClock } from "../../core/clock.ts";
import { definitionParts } from "../../core/definition-parts.ts";
import { EVENTS, type EventRow } from "../../core/events.ts";
import { createHooks, type Hooks } from "../../core/hooks.ts";
import { ruleConditions } from "../../handlers/conditions.ts";
import { inlineHandler } from "../../handlers/inline.ts";
import { nodePaths } from "../../node/paths.ts";
import { linearRegex } from "../../node/regex.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { fileSpill } from "../../node/spill.ts";
import { openInlineRules } from "../../rules/rules.ts";

/**
 * A hook set for one event: only the hooks that could be asked about it are made ready, and rules are compiled only when
 * the texts they require occur. What is no rule is loaded together with the handlers, in a file of their own.
 */
export async function oneShotHooks(config: Config, event: string): Promise<Hooks> {
  const { limits, timeout } = config;
  const hooks = createHooks(
    { limits, ...(timeout === undefined ? {} : { timeout }) },
    {
      clock: systemClock,
      newId: idSequence(systemClock.now()),
      paths: nodePaths,
      regex: linearRegex,
      spill: fileSpill(),
      conditions: ruleConditions(nodeRulePorts),
    },
  );
  const asked = eventsAsked(event);
  const prepared = await prepareConfig(
    {
      ...hooks,
      handles: async () => true,
      prepareDefinition: async (definition, site) => {
        if (definition.type === "inline") {
          const { events, options } = definitionParts(definition);
          const rules = openInlineRules(definition, nodeRulePorts);
          return hooks.prepare(events, options, inlineHandler(rules, [events].flat()));
        }
        const { prepareOther } = await import("./other-handlers.ts");
        return prepareOther(hooks, definition, site);
      },
    },
    {
      ...config,
      definitions: config.definitions.filter(
        ({ definition, enabled }) =>
          enabled && [definition.matcher.events].flat().some((name) => asked.has(name)),
      ),
    },
  );
  hooks.replace([], prepared.hooks);
  return hooks;
}

/** The event, the gates that are asked again after a rewrite, and what a failing hook raises. */
function eventsAsked(event: string): ReadonlySet<string> {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  const other = table[event]?.rechecks_with;
  return new Set([event, "Error", ...(other === undefined ? [] : [other])]);
}
