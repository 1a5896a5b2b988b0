import { declareEvents } from "../../adapters/declare-events.ts";
import type { HookTarget } from "../../config/combine/apply.ts";
import { handlersOf } from "../../config/schema/definition.ts";
import { definitionParts } from "../../core/registration/definition.ts";
import { createHooks } from "../../index.ts";
import { ADAPTERS } from "../bridges/agents.ts";

/** A hook set that says of each definition whether it can be used, and runs none: modules are not even loaded. */
export function checkingSet(): HookTarget {
  const hooks = createHooks();
  declareEvents(hooks, ADAPTERS);
  return {
    ...hooks,
    prepareDefinition: async (definition, site) => {
      if (handlersOf(definition).every(([{ type }]) => type !== "module"))
        return hooks.prepareDefinition(definition, site);
      const { events, options } = definitionParts(definition);
      return hooks.prepare(events, options, { type: definition.type, run: () => undefined });
    },
  };
}
