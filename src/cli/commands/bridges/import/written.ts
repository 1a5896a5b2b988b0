import type { WrittenDefinition } from "../../../../config/edit/add-definitions.ts";
import { parseText } from "../../../../config/parse/parse.ts";
import { isRecord, sameJson } from "../../../../core/base/json.ts";

/** What people change in a hook that came in; it is the same hook still. */
const MAY_DIFFER: readonly string[] = ["name", "description", "timeout", "on_failure", "enabled"];

/**
 * The definitions a configuration file has.
 *
 * @throws ConfigError `config_syntax` for a text that can't be read.
 */
export function writtenIn(file: string, text: string): readonly WrittenDefinition[] {
  const { value } = parseText(file, text);
  const hooks = isRecord(value) ? value.hooks : undefined;
  return isRecord(hooks) && Array.isArray(hooks.definitions) ? hooks.definitions.filter(isRecord) : [];
}

/** True when two definitions do the same on the same events, whatever they are called. */
export function isSameHook(one: WrittenDefinition, other: WrittenDefinition): boolean {
  return sameJson(whatItDoes(one), whatItDoes(other));
}

function whatItDoes(definition: WrittenDefinition): unknown {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !MAY_DIFFER.includes(key)));
}
