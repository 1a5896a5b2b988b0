import type { Hooks } from "../../core/hooks.ts";
import type { DefinitionSite } from "../../core/ports.ts";
import type { PreparedHook } from "../../core/registered-hook.ts";
import type { HookDefinition } from "../../handlers/definition.ts";
import { readyDefinition } from "../../handlers/definitions.ts";
import { lazyJudges } from "../../models/lazy-judges.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";

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
  });
  return prepare(hooks);
}
