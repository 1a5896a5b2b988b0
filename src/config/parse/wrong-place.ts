import { EVENTS } from "../../core/events/event-table.ts";
import { FOREIGN_EVENTS } from "../../shared/foreign-events.ts";
import { SCHEMAS } from "../schema/definition.ts";
import { FILE } from "../schema/file.ts";
import type { ValuePath } from "./located.ts";

const IN_HOOKS = FILE.fields.hooks.schema.fields;
const OF_HOOKS = Object.assign({}, ...Object.values(SCHEMAS.definitions).map(({ fields }) => fields));

/** Where a key belongs that is unknown at its place; `undefined` for one that is known nowhere. */
export function rightPlace(key: string, at: ValuePath): string | undefined {
  const isIn = (fields: object): boolean => Object.hasOwn(fields, key);
  const isHook = at[0] === "hooks" && at[1] === "definitions" && at.length === 3;
  if (at.length <= 1 && (isIn(EVENTS) || isIn(FOREIGN_EVENTS)))
    return "That is the form of an agent's own settings: tenterhook import claude (or another agent) takes its hooks from there. Here a hook is an item of hooks.definitions, with its events under matcher.";
  if (isHook && isIn(SCHEMAS.matcher.fields)) return "It belongs under matcher.";
  if (at.at(-1) === "matcher" && isIn(OF_HOOKS)) return "It belongs to the hook, beside matcher.";
  if (at.length === 0 || at[0] === "hooks") {
    if (isIn(IN_HOOKS) && at.length !== 1) return "It belongs under hooks.";
    if (isIn(OF_HOOKS) && at.length < 3) return "It belongs to a hook, in an item of hooks.definitions.";
  }
  if (isIn(FILE.fields) && at.length > 0) return "It belongs at the top of the file, beside hooks.";
  return undefined;
}
