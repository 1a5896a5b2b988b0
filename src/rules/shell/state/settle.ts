import { unknown } from "../words/text.ts";
import { type Frame, type FunctionBody, withScope } from "./frame.ts";
import { assign, change, childScope, type Scope, type Tables } from "./scope.ts";

/** A folder that depends on which way through the line is taken. */
export const UNKNOWN_FOLDER = unknown("$PWD");

/** What a scope was before something that may or may not run. */
export interface Before {
  readonly tables: Tables;
  readonly positional: Scope["positional"];
  readonly folder: string;
}

/** A scope as it is now, to compare it with what it becomes. */
export function remember(scope: Scope): Before {
  // Whatever changes it copies the tables first.
  scope.shared = true;
  const { tables, positional, folder } = scope;
  return { tables, positional, folder };
}

/** Walks what may or may not run. */
export function perhaps<T>(frame: Frame, walk: () => T): T {
  const before = remember(frame.scope);
  const result = walk();
  for (const [name, body] of settle(frame.scope, before))
    frame.walk.run.call(name, body, undefined, withScope(frame, childScope(frame.scope)));
  return result;
}

/**
 * Leaves something that may or may not have run: what it has changed is unknown from then on. A name for a command has
 * both of its meanings.
 *
 * @returns functions that may still mean what they did before, by their names.
 */
function settle(scope: Scope, before: Before): readonly (readonly [string, FunctionBody])[] {
  if (scope.positional !== before.positional) scope.positional = undefined;
  if (scope.folder !== before.folder) scope.folder = UNKNOWN_FOLDER;
  if (scope.tables === before.tables) return [];
  const { variables, arrays, functions, aliases } = before.tables;
  for (const name of changed(variables, scope.tables.variables)) assign(scope, name, undefined);
  for (const name of changed(arrays, scope.tables.arrays)) assign(scope, name, undefined);
  const now = change(scope);
  for (const [name, text] of aliases) {
    const other = now.aliases.get(name) ?? text;
    if (other !== text) now.aliases.set(name, `${text}\n${other}`);
  }
  return [...functions].filter(([name, body]) => now.functions.get(name) !== body);
}

/** Leaves a function: what it declared for itself is gone. */
export function leave(scope: Scope, { tables }: Before, locals: ReadonlySet<string>): void {
  for (const name of locals) {
    const { variables, arrays } = change(scope);
    const list = tables.arrays.get(name);
    if (tables.variables.has(name)) variables.set(name, tables.variables.get(name));
    else variables.delete(name);
    if (list === undefined) arrays.delete(name);
    else arrays.set(name, list);
  }
}

/** The names that have another value, none any more, or one for the first time. */
function changed(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): readonly string[] {
  const names = [...now.keys()].filter((name) => !before.has(name) || before.get(name) !== now.get(name));
  for (const name of before.keys()) if (!now.has(name)) names.push(name);
  return names;
}
