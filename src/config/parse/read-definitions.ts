import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import {
  compositionOf,
  DEFINITIONS,
  type Definition,
  type DefinitionType,
  PARTS,
} from "../schema/definition.ts";
import { TYPE_ALIASES } from "../schema/handlers.ts";
import { matcher } from "../schema/matcher.ts";
import { COMPOSITIONS } from "./handlers-of.ts";
import { issueProblems, valueProblem } from "./issues.ts";
import { type ParsedFile, positionOf, type ValuePath } from "./located.ts";
import type { Position, Problem } from "./problem.ts";

/** A definition with where it stands. */
export interface ReadDefinition {
  readonly definition: Definition;
  readonly position: Position;
  readonly path: ValuePath;
}

const TYPES = Object.keys(DEFINITIONS);

/** Reads the definitions of a file, each by the schema of its type; what is wrong goes to `problems`. */
export function readDefinitions(
  list: readonly unknown[],
  parsed: ParsedFile,
  problems: Problem[],
): readonly ReadDefinition[] {
  return list.flatMap((item, index): ReadDefinition[] => {
    const path = ["hooks", "definitions", index];
    const typed = withType(item, path, parsed, problems);
    if (typed === undefined) {
      checkMatcher(item, path, parsed, problems);
      return [];
    }
    const result = DEFINITIONS[typed.type].safeParse(typed);
    if (!result.success) {
      problems.push(...issueProblems(result.error.issues, parsed, path));
      return [];
    }
    const found = problems.length;
    checkHandler(typed, path, parsed, problems);
    const position = positionOf(parsed.located, path);
    return problems.length > found ? [] : [{ definition: result.data, position, path }];
  });
}

/** What can be said of a definition whose type is not known: which events it wants. */
function checkMatcher(item: unknown, path: ValuePath, parsed: ParsedFile, problems: Problem[]): void {
  if (!isRecord(item) || item.matcher === undefined) return;
  const { error } = matcher.safeParse(item.matcher);
  if (error !== undefined) problems.push(...issueProblems(error.issues, parsed, [...path, "matcher"]));
}

type Typed = Readonly<Record<string, unknown>> & { readonly type: DefinitionType };

/** The value with the type by its one name; a composition need not say its type. */
function withType(
  value: unknown,
  path: ValuePath,
  parsed: ParsedFile,
  problems: Problem[],
): Typed | undefined {
  if (!isRecord(value)) {
    problems.push(valueProblem(parsed, path, "an object with a name, a type and a matcher"));
    return undefined;
  }
  const given = value.type ?? compositionOf(value);
  const type = typeof given === "string" ? (TYPE_ALIASES[given] ?? given) : given;
  if (isType(type)) return { ...value, type };
  const near = typeof type === "string" ? didYouMean(type, [...TYPES, ...Object.keys(TYPE_ALIASES)]) : "";
  problems.push(
    valueProblem(parsed, [...path, "type"], `one of ${TYPES.join(", ")}${near.replace(/^ /, ". ")}`),
  );
  return undefined;
}

function isType(value: unknown): value is DefinitionType {
  return typeof value === "string" && TYPES.includes(value);
}

/** What a schema of keys can't say: parts inside a composition, and keys that need each other. */
function checkHandler(typed: Typed, path: ValuePath, parsed: ParsedFile, problems: Problem[]): void {
  if (typed.type === "command") {
    const given = ["command", "script"].filter((key) => typed[key] !== undefined);
    if (given.length === 0) problems.push(valueProblem(parsed, [...path, "command"], COMMAND));
    if (given.length === 2)
      problems.push(valueProblem(parsed, [...path, "script"], "left out beside command"));
  }
  const key = COMPOSITIONS.find((name) => name === typed.type);
  const parts = key === undefined ? [] : typed[key];
  for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
    const at = [...path, typed.type, index];
    const inner = withType(part, at, parsed, problems);
    if (inner === undefined) continue;
    const result = PARTS[inner.type].safeParse(inner);
    if (result.success) checkHandler(inner, at, parsed, problems);
    else problems.push(...issueProblems(result.error.issues, parsed, at));
  }
}

const COMMAND = "a shell line or a list of program and arguments; or give script, a file to run";
