import { isRecord } from "../../core/base/json.ts";
import { type Issue, pathText } from "../../core/base/schemas.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { EVENTS } from "../../core/events/event-table.ts";
import { FOREIGN_EVENTS } from "../../shared/foreign-events.ts";
import { SCHEMAS } from "../schema/definition.ts";
import { FILE } from "../schema/file.ts";
import { type ParsedFile, positionOf, type ValuePath } from "./located.ts";
import type { Problem } from "./problem.ts";

/** The problems of a value that was checked, each at its place in the file. `base` leads to the value. */
export function issueProblems(
  issues: readonly Issue[],
  parsed: ParsedFile,
  base: ValuePath,
): readonly Problem[] {
  return issues.map(({ path, text, unknown }) => {
    const at = [...base, ...path];
    // A name that is nearly right where it stands is rather misspelt than misplaced.
    const isNear = unknown !== undefined && nearestName(unknown.key, unknown.known) !== undefined;
    const place = unknown === undefined || isNear ? undefined : rightPlace(unknown.key, at);
    const problem =
      place === undefined ? text : `has the unknown key ${JSON.stringify(unknown?.key)}. ${place}`;
    const message = `${subject(parsed, at)} ${problem}`;
    return unknown === undefined
      ? problemAt(parsed, at, message)
      : problemAt(parsed, [...at, unknown.key], message, "key");
  });
}

export function problemAt(
  parsed: ParsedFile,
  path: ValuePath,
  message: string,
  part: "key" | "value" = "value",
): Problem {
  return { code: "config_invalid", file: parsed.file, ...positionOf(parsed.located, path, part), message };
}

/** The name of a hook in messages, or its path. */
export function hookLabel(parsed: ParsedFile, path: ValuePath): string {
  const definition = valueAt(parsed.value, path);
  const name = isRecord(definition) ? definition.name : undefined;
  return typeof name === "string" ? `Hook ${JSON.stringify(name)}` : pathText(path);
}

function subject(parsed: ParsedFile, path: ValuePath): string {
  if (path.length === 0) return "The file";
  if (path[0] !== "hooks" || path[1] !== "definitions" || path.length < 3) return pathText(path);
  const label = hookLabel(parsed, path.slice(0, 3));
  return path.length === 3 ? label : `${label}: ${pathText(path.slice(3))}`;
}

function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined),
    value,
  );
}

const IN_HOOKS = FILE.fields.hooks.schema.fields;
const OF_HOOKS = Object.assign({}, ...Object.values(SCHEMAS.definitions).map(({ fields }) => fields));

/** Where a key belongs that is unknown at its place; `undefined` for one that is known nowhere. */
function rightPlace(key: string, at: ValuePath): string | undefined {
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
