import { isRecord } from "../../core/base/json.ts";
import { type Issue, issuesIn, schemas } from "../../core/base/schemas.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { EVENTS } from "../../core/events/event-table.ts";
import { COMPOSITIONS, HANDLER_KEYS, handlerTypeOf } from "../../core/registration/handler-types.ts";
import { type Definition, type DefinitionType, isDefinition, SCHEMAS } from "../schema/definition.ts";
import { issueProblems } from "./issues.ts";
import { type ParsedFile, positionOf, type ValuePath } from "./located.ts";
import type { Position, Problem } from "./problem.ts";

export interface ReadDefinition {
  readonly definition: Definition;
  readonly position: Position;
  readonly path: ValuePath;
  /** It has problems, and these parts of it are left out: it may be checked further, and never used. */
  readonly isPart?: true;
}

const HOOK = schemas.map(schemas.anything, "an object with a name, a type and a matcher");
const TYPE = schemas.word(...Object.keys(HANDLER_KEYS));

/** Reads the definitions of a file, each by the table of its type; what is wrong goes to `problems`. */
export function readDefinitions(
  list: readonly unknown[],
  parsed: ParsedFile,
  problems: Problem[],
): readonly ReadDefinition[] {
  return list.flatMap((item, index): ReadDefinition[] => {
    const path = ["hooks", "definitions", index];
    const typed = withType(item, path, parsed, problems);
    if (typed === undefined) {
      const meant = isRecord(item) ? meantType(item) : undefined;
      if (meant !== undefined)
        problems.push(
          ...issueProblems(issuesIn(meant, SCHEMAS.definitions[meant.type] ?? HOOK), parsed, path),
        );
      // Without a type that could be meant, the matcher is all that can be checked.
      else if (isRecord(item) && item.matcher !== undefined)
        problems.push(
          ...issueProblems(issuesIn(item.matcher, SCHEMAS.matcher), parsed, [...path, "matcher"]),
        );
      return [];
    }
    if (!isDefinition(typed)) {
      const schema = SCHEMAS.definitions[typed.type] ?? HOOK;
      const issues = issuesIn(typed, schema);
      problems.push(...issueProblems(issues, parsed, path));
      const rest = withoutFaults(typed, issues);
      if (!isDefinition(rest)) return [];
      return [{ definition: rest, position: positionOf(parsed.located, path), path, isPart: true }];
    }
    const found = problems.length;
    checkParts(typed, path, parsed, problems);
    const position = positionOf(parsed.located, path);
    return problems.length > found ? [] : [{ definition: typed, position, path }];
  });
}

/** A hook with the type that it probably has: one that is misspelt, or whose key is, so that the rest can be checked. */
function meantType(item: Readonly<Record<string, unknown>>): Typed | undefined {
  const isType = (value: unknown) => typeof value === "string" && Object.hasOwn(HANDLER_KEYS, value);
  const { type = Object.values(item).find(isType) } = item;
  const near = typeof type === "string" ? nearestName(type, Object.keys(HANDLER_KEYS)) : undefined;
  const named = handlerTypeOf({ type: near });
  return named === undefined ? undefined : { ...item, type: named };
}

type Typed = Readonly<Record<string, unknown>> & { readonly type: DefinitionType };

/** The value with the one name of its type, also where a composition leaves its type out. */
function withType(
  value: unknown,
  path: ValuePath,
  parsed: ParsedFile,
  problems: Problem[],
): Typed | undefined {
  if (!isRecord(value)) {
    problems.push(...issueProblems(issuesIn(value, HOOK), parsed, path));
    return undefined;
  }
  const type = handlerTypeOf(value);
  if (type !== undefined) return { ...value, type };
  problems.push(...issueProblems(issuesIn(value.type, TYPE), parsed, [...path, "type"]));
  return undefined;
}

/** A definition without the keys that have issues, so that the others can be checked, too. */
function withoutFaults(typed: Typed, issues: readonly Issue[]): Typed {
  const faults = issues.map(({ path, unknown }) => (unknown === undefined ? path : [...path, unknown.key]));
  const isSound = (...keys: readonly string[]): boolean =>
    !faults.some((fault) => keys.every((key, index) => fault[index] === key));
  const { type, matcher, ...rest } = typed;
  const soundKeys = Object.entries(rest).filter(([key]) => isSound(key));
  const fields = isRecord(matcher) ? Object.entries(matcher) : [];
  const sound = Object.fromEntries(fields.filter(([key]) => isSound("matcher", key)));
  const events = isRecord(matcher) ? eventsMeant(matcher.events) : [];
  return { ...Object.fromEntries(soundKeys), matcher: { ...sound, events }, type };
}

/** Events of the table for those that a hook names; all of them where none can be meant. */
function eventsMeant(given: unknown): readonly string[] {
  const names = Object.keys(EVENTS);
  const meant = [given].flat().flatMap((name: unknown) => {
    if (typeof name !== "string") return [];
    return name.includes(":") ? name : (nearestName(name, names) ?? []);
  });
  return meant.length === 0 ? names : meant;
}

/** Checks the handlers inside a composition, each by its own type. */
function checkParts(typed: Typed, path: ValuePath, parsed: ParsedFile, problems: Problem[]): void {
  const key = COMPOSITIONS.find((name) => name === typed.type);
  const parts = key === undefined ? [] : typed[key];
  for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
    const at = [...path, typed.type, index];
    const inner = withType(part, at, parsed, problems);
    if (inner === undefined) continue;
    const issues = issuesIn(inner, SCHEMAS.parts[inner.type] ?? HOOK);
    if (issues.length === 0) checkParts(inner, at, parsed, problems);
    else problems.push(...issueProblems(issues, parsed, at));
  }
}
