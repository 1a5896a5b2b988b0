import { isRecord, listOf, sameJson } from "../../core/base/json.ts";
import { linearRegex } from "../regex.ts";
import { describeValue, problem, type Schema, type Site, stringsOf } from "./schema-site.ts";

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number"],
  ["integer", (value) => Number.isInteger(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["null", (value) => value === null],
  ["array", (value) => Array.isArray(value)],
  ["object", isRecord],
]);

/** False when the value is of another type. An unknown type accepts every value. */
export function checkType({ type }: Schema, value: unknown, site: Site): boolean {
  const types = typeof type === "string" ? [type] : stringsOf(type);
  if (types.length === 0 || types.some((name) => TYPES.get(name)?.(value) ?? true)) return true;
  problem(site, `must be ${types.join(" or ")}, but is ${describeValue(value)}`);
  return false;
}

/** `enum` and `const`. */
export function checkConstants(schema: Schema, value: unknown, site: Site): void {
  for (const allowed of [
    ...(Array.isArray(schema.enum) ? [schema.enum] : []),
    ...(Object.hasOwn(schema, "const") ? [[schema.const]] : []),
  ]) {
    if (allowed.some((one: unknown) => sameJson(one, value))) continue;
    const list = allowed.map((one: unknown) => JSON.stringify(one)).join(", ");
    problem(site, `must be ${allowed.length > 1 ? "one of " : ""}${list}, but is ${describeValue(value)}`);
  }
}

interface Limit {
  readonly words: string;
  readonly measure: (value: unknown) => number | undefined;
  readonly holds: (measured: number, limit: number) => boolean;
  /** What is counted, when something is. */
  readonly unit?: string;
}

const number = (value: unknown) => (typeof value === "number" ? value : undefined);
const characters = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const fields = (value: unknown) => (isRecord(value) ? Object.keys(value).length : undefined);
const atLeast = (measured: number, limit: number) => measured >= limit;
const atMost = (measured: number, limit: number) => measured <= limit;

const LIMITS: readonly (readonly [keyword: string, limit: Limit])[] = Object.entries({
  minimum: { words: "must be at least", measure: number, holds: atLeast },
  maximum: { words: "must be at most", measure: number, holds: atMost },
  exclusiveMinimum: { words: "must be more than", measure: number, holds: (is, limit) => is > limit },
  exclusiveMaximum: { words: "must be less than", measure: number, holds: (is, limit) => is < limit },
  multipleOf: { words: "must be a multiple of", measure: number, holds: isMultiple },
  minLength: { words: "must have at least", measure: characters, holds: atLeast, unit: "character" },
  maxLength: { words: "must have at most", measure: characters, holds: atMost, unit: "character" },
  minItems: { words: "must have at least", measure: items, holds: atLeast, unit: "item" },
  maxItems: { words: "must have at most", measure: items, holds: atMost, unit: "item" },
  minProperties: { words: "must have at least", measure: fields, holds: atLeast, unit: "field" },
  maxProperties: { words: "must have at most", measure: fields, holds: atMost, unit: "field" },
} satisfies Record<string, Limit>);

/** 0.3 is a multiple of 0.1, whatever binary fractions make of it. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return of <= 0 || Number.isInteger(times) || Math.abs(times - Math.round(times)) < 1e-9;
}

export function checkLimits(schema: Schema, value: unknown, site: Site): void {
  for (const [keyword, { words, measure, holds, unit }] of LIMITS) {
    const limit = schema[keyword];
    if (typeof limit !== "number") continue;
    const measured = measure(value);
    if (measured === undefined || holds(measured, limit)) continue;
    const counted = unit === undefined ? "" : ` ${unit}${limit === 1 ? "" : "s"}`;
    problem(site, `${words} ${limit}${counted}, but ${unit === undefined ? "is" : "has"} ${measured}`);
  }
}

/** `pattern`. The engine takes time linear in the text; a pattern that it does not know is not checked. */
export function checkPattern({ pattern }: Schema, value: unknown, site: Site): void {
  if (typeof pattern !== "string" || typeof value !== "string" || matches(pattern, value) !== false) return;
  problem(site, `must match ${pattern}, but is ${describeValue(value)}`);
}

/** The last patterns: a schema is checked again with every call. */
const compiled = new Map<string, ((text: string) => boolean) | undefined>();
const MOST_PATTERNS = 200;
const LONGEST_PATTERN = 1000;

/** Whether a string matches a pattern; `undefined` for one that can't be compiled. */
export function matches(pattern: string, text: string): boolean | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  if (!compiled.has(pattern)) {
    if (compiled.size >= MOST_PATTERNS) compiled.clear();
    compiled.set(pattern, compile(pattern));
  }
  return compiled.get(pattern)?.(text);
}

function compile(pattern: string): ((text: string) => boolean) | undefined {
  try {
    return linearRegex(pattern, false);
  } catch {
    return undefined;
  }
}

/** `uniqueItems`. */
export function checkUnique({ uniqueItems }: Schema, value: unknown, site: Site): void {
  if (uniqueItems !== true || !Array.isArray(value)) return;
  const list = listOf(value);
  for (const [at, item] of list.entries()) {
    site.budget.steps -= at;
    if (site.budget.steps < 0) return;
    const other = list.findIndex((one) => sameJson(one, item));
    if (other === at) continue;
    problem(site, `must have different items, but [${other}] and [${at}] are the same`);
    return;
  }
}
