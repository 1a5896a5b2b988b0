import { TenterhookError } from "./errors.ts";
import { frozenCopy, isRecord } from "./json.ts";
import { didYouMean, nearestName } from "./suggest.ts";

/**
 * What a value may be, as plain data. Types, checks, the JSON Schema and the reference pages are derived from it. `must`
 * completes the sentence "it must be …".
 */
export type Schema = { readonly must: string } & (
  | { readonly is: "anything" | "boolean" }
  | { readonly is: "string"; readonly pattern?: RegExp }
  | {
      readonly is: "number";
      readonly min?: number;
      readonly above?: number;
      readonly max?: number;
      readonly whole?: true;
      readonly finite?: true;
    }
  | {
      readonly is: "word";
      readonly words: readonly (string | true)[];
      /** Why other words, which are right elsewhere, are not allowed here; `true` for those that can. */
      readonly why_not?: Readonly<Record<string, string | true>>;
    }
  | { readonly is: "list"; readonly of: Schema; readonly filled?: true }
  | { readonly is: "map"; readonly of: Schema; readonly keys?: readonly string[] }
  | ObjectShape
  | { readonly is: "either"; readonly of: readonly Schema[] }
);

interface ObjectShape {
  readonly is: "object";
  readonly fields: Fields;
  /** Exactly one of these two keys must be given. */
  readonly one_of?: readonly [string, string];
  /** Keys that were known earlier, and what they are called now. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** An object with known keys. */
export type ObjectSchema = { readonly must: string } & ObjectShape;

/** A row of a table of keys. */
export interface Field {
  readonly schema: Schema;
  /** One line for the reference and for editors. */
  readonly docs: string;
  readonly required?: boolean;
}

/** A table of keys. */
export type Fields = Readonly<Record<string, Field>>;

/** The type of the values of a schema. */
export type ValueOf<K> = K extends { readonly is: "anything"; readonly like: infer T | undefined }
  ? T
  : K extends { readonly is: "string" }
    ? string
    : K extends { readonly is: "number" }
      ? number
      : K extends { readonly is: "boolean" }
        ? boolean
        : K extends { readonly is: "word"; readonly words: readonly (infer Word)[] }
          ? Word
          : K extends { readonly is: "list"; readonly of: infer Item }
            ? readonly ValueOf<Item>[]
            : K extends { readonly is: "map"; readonly of: infer Item; readonly keys: readonly (infer Key)[] }
              ? { readonly [Name in Key & string]?: ValueOf<Item> }
              : K extends { readonly is: "map"; readonly of: infer Item }
                ? Readonly<Record<string, ValueOf<Item>>>
                : K extends { readonly is: "object"; readonly fields: infer Rows extends Fields }
                  ? EachObjectOf<Rows>
                  : K extends { readonly is: "either"; readonly of: readonly (infer Choice)[] }
                    ? ValueOf<Choice>
                    : unknown;

/** The types of the objects of several tables. */
type EachObjectOf<Rows extends Fields> = Rows extends Fields ? ObjectOf<Rows> : never;

type RequiredKeys<Rows extends Fields> = {
  [Key in keyof Rows]: Rows[Key] extends { readonly required: true } ? Key : never;
}[keyof Rows];

type Flat<T> = { [Key in keyof T]: T[Key] };

/** The type of an object with the keys of a table. */
export type ObjectOf<Rows extends Fields> = Flat<
  { readonly [Key in RequiredKeys<Rows>]: ValueOf<Rows[Key]["schema"]> } & {
    readonly [Key in Exclude<keyof Rows, RequiredKeys<Rows>>]?: ValueOf<Rows[Key]["schema"]>;
  }
>;

const text = { is: "string", pattern: /\S/, must: "a non-empty string" } as const;
const NAMES = "a string or a list of strings, none of them empty";

/** The vocabulary of schemas. */
export const schemas = {
  anything: { is: "anything", must: "anything" },
  boolean: { is: "boolean", must: "true or false" },
  /** Any string, also an empty one. */
  string: { is: "string", must: "a string" },
  text,
  texts: { is: "list", of: text, must: "a list of non-empty strings" },
  names: { is: "either", of: [text, { is: "list", of: text, filled: true, must: NAMES }], must: NAMES },
  number: { is: "number", must: "a number" },
  amount: { is: "number", min: 0, must: "a number of 0 or more" },
  seconds: { is: "number", above: 0, must: "a number of seconds above 0" },
  count: { is: "number", whole: true, min: 0, must: "a whole number of 0 or more" },
  positive: { is: "number", whole: true, min: 1, must: "a whole number of 1 or more" },
  between: (min: number, max: number) =>
    ({ is: "number", whole: true, min, max, must: `a whole number from ${min} to ${max}` }) as const,
  word: <const Words extends readonly (string | true)[]>(...words: Words) =>
    ({ is: "word", words, must: `${words.length > 1 ? "one of " : ""}${words.join(", ")}` }) as const,
  list: <Item extends Schema>(of: Item, must: string) => ({ is: "list", of, must }) as const,
  filled: <Item extends Schema>(of: Item, must: string) => ({ is: "list", of, must, filled: true }) as const,
  map: <Item extends Schema>(of: Item, must: string) => ({ is: "map", of, must }) as const,
  mapOf: <Item extends Schema, const Keys extends readonly string[]>(of: Item, keys: Keys) =>
    ({ is: "map", of, keys, must: `an object with the keys ${keys.join(", ")}` }) as const,
  object: <Rows extends Fields>(fields: Rows) =>
    ({ is: "object", fields, must: `an object with the keys ${Object.keys(fields).join(", ")}` }) as const,
  either: <const Choices extends readonly Schema[]>(must: string, ...of: Choices) =>
    ({ is: "either", of, must }) as const,
} as const;

/** A row for a key that may be left out. */
export function field<K extends Schema>(schema: K, docs: string) {
  return { schema, docs } as const;
}

/** A row for a key that must be given. */
export function neededField<K extends Schema>(schema: K, docs: string) {
  return { schema, docs, required: true } as const;
}

/** A row for a key that has a value when it is left out. */
export function defaultField<K extends Schema>(schema: K, standard: number | boolean, docs: string) {
  return { schema, docs, default: standard } as const;
}

/** The keys of a table that have a default. */
export type DefaultKeys<Rows extends Fields> = {
  [Key in keyof Rows]: Rows[Key] extends { readonly default: unknown } ? Key : never;
}[keyof Rows];

export function defaultsOf<Rows extends Fields>(
  rows: Rows,
): { readonly [Key in DefaultKeys<Rows>]: ValueOf<Rows[Key]["schema"]> };
export function defaultsOf(rows: Fields): unknown {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([key, row]) => ("default" in row ? [[key, row.default]] : [])),
  );
}

/** What an object says for the keys of a table; `undefined` counts as not given. */
export function givenFields<Value extends object, Rows extends Fields>(
  value: Value,
  rows: Rows,
): Pick<Value, keyof Value & keyof Rows>;
export function givenFields(value: object, rows: Fields): unknown {
  return Object.fromEntries(
    Object.keys(rows).flatMap((key) => {
      const given: unknown = Reflect.get(value, key);
      return given === undefined ? [] : [[key, given]];
    }),
  );
}

/** One thing wrong with a value. `text` follows the name of what `path` leads to. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** The unknown key, and the keys that are known in its place. */
  readonly unknown?: { readonly key: string; readonly known: readonly string[] };
}

/** Everything that is wrong with a value. A value of `undefined` counts as missing. */
export function issuesIn(value: unknown, schema: Schema): readonly Issue[] {
  const wrong = (): readonly Issue[] => [{ path: [], text: wrongValue(value, schema) }];
  switch (schema.is) {
    case "anything":
      return [];
    case "boolean":
      return typeof value === "boolean" ? [] : wrong();
    case "string":
      return typeof value === "string" && (schema.pattern?.test(value) ?? true) ? [] : wrong();
    case "number":
      return isNumber(value, schema) ? [] : wrong();
    case "word":
      return schema.words.some((word) => word === value) ? [] : wrong();
    case "list":
      if (!Array.isArray(value) || (schema.filled === true && value.length === 0)) return wrong();
      return value.flatMap((item: unknown, at) => below(at, issuesIn(item, schema.of)));
    case "map":
      if (!isRecord(value)) return wrong();
      return Object.entries(value).flatMap(([key, item]) =>
        schema.keys?.includes(key) === false
          ? [unknownKey(key, schema.keys)]
          : below(key, issuesIn(item, schema.of)),
      );
    case "object":
      return isRecord(value) ? issuesInObject(value, schema) : wrong();
    case "either":
      return issuesInChoice(value, schema.of) ?? wrong();
    default:
      return schema satisfies never;
  }
}

/**
 * Checks a value that is named `subject` in messages.
 *
 * @throws TenterhookError `unknown_option` or `invalid_option` for the first thing that is wrong.
 */
export function checkValue<K extends Schema>(
  value: unknown,
  schema: K,
  subject: string,
): asserts value is ValueOf<K> {
  requireValid(value, schema, subject);
}

/** The same for a schema that is known only at run time. */
export function requireValid(value: unknown, schema: Schema, subject: string): void {
  const [issue] = issuesIn(value, schema);
  if (issue === undefined) return;
  const where = issue.path.length === 0 ? subject : `${subject}: ${pathText(issue.path)}`;
  const message = `${where} ${issue.text}`;
  if (issue.unknown === undefined) throw new TenterhookError("invalid_option", message);
  throw new TenterhookError("unknown_option", message, {
    hint: `Known keys: ${issue.unknown.known.join(", ")}.`,
  });
}

/** A path as people write it: `matcher.events[0]`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("");
}

function issuesInObject(value: Readonly<Record<string, unknown>>, { fields, one_of, renamed }: ObjectShape) {
  const known = Object.keys(fields);
  const issues = Object.keys(value).flatMap((key) =>
    known.includes(key) ? [] : [unknownKey(key, known, renamed)],
  );
  for (const [key, { schema, required = false }] of Object.entries(fields)) {
    if (value[key] !== undefined || required) issues.push(...below(key, issuesIn(value[key], schema)));
  }
  if (one_of === undefined) return issues;
  const [first, second] = one_of;
  if (value[first] === undefined && value[second] === undefined) {
    const must = `${fields[first]?.schema.must}, unless ${second} is given`;
    issues.push({ path: [first], text: `is missing; it must be ${must}.` });
  }
  if (value[first] !== undefined && value[second] !== undefined)
    issues.push({ path: [second], text: `can't be given together with ${first}. Remove one of them.` });
  return issues;
}

/** `undefined` when no choice says more about the value than all of them together. */
function issuesInChoice(value: unknown, choices: readonly Schema[]): readonly Issue[] | undefined {
  const found: { readonly choice: Schema; readonly issues: readonly Issue[] }[] = [];
  for (const choice of choices) {
    const issues = issuesIn(value, choice);
    if (issues.length === 0) return [];
    found.push({ choice, issues });
  }
  const strangers = (issues: readonly Issue[]): number =>
    issues.filter(({ unknown, path }) => unknown !== undefined && path.length === 0).length;
  return found
    .filter(({ choice }) => !isRecord(value) || choice.is !== "object" || sharesKey(value, choice))
    .map(({ issues }) => issues)
    .filter((issues) => issues.some(({ path, unknown }) => path.length > 0 || unknown !== undefined))
    .sort((a, b) => strangers(a) - strangers(b) || a.length - b.length)[0];
}

/** False for an object that is meant to be another one. */
function sharesKey(value: object, { fields }: ObjectShape): boolean {
  const keys = Object.keys(value);
  return (
    keys.length === 0 ||
    keys.some((key) => Object.hasOwn(fields, key) || nearestName(key, Object.keys(fields)) !== undefined)
  );
}

function isNumber(value: unknown, schema: Schema & { readonly is: "number" }): boolean {
  if (typeof value !== "number" || Number.isNaN(value)) return false;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, above } = schema;
  const fits =
    schema.whole === true ? Number.isInteger(value) : schema.finite !== true || Number.isFinite(value);
  return fits && value >= min && value <= max && (above === undefined || value > above);
}

function below(step: string | number, issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue) => ({ ...issue, path: [step, ...issue.path] }));
}

function unknownKey(key: string, known: readonly string[], renamed: ObjectShape["renamed"] = {}): Issue {
  const help = Object.hasOwn(renamed, key)
    ? ` It is called ${renamed[key]} now.`
    : didYouMean(key, known) || ` Known keys: ${known.join(", ")}.`;
  return { path: [], text: `has the unknown key ${JSON.stringify(key)}.${help}`, unknown: { key, known } };
}

function wrongValue(value: unknown, schema: Schema): string {
  const is = value === undefined ? "is missing" : `is ${shownValue(value)}`;
  const why = typeof value === "string" ? whyNot(value, schema) : undefined;
  if (why !== undefined) return `${is}: ${why}. It must be ${schema.must}.`;
  const near =
    typeof value === "string" ? didYouMean(value, wordsOf(schema)) || inSeconds(value, schema) : "";
  return `${is}; it must be ${schema.must}.${near}`;
}

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** The number for a length of time such as 30s, which other settings take. */
function inSeconds(value: string, { is, must }: Schema): string {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(value.trim().toLowerCase()) ?? [];
  const seconds = SECONDS[unit];
  if (is !== "number" || !must.includes("seconds") || seconds === undefined) return "";
  return ` Write ${Number((Number(number) * seconds).toFixed(3))}.`;
}

/** Why a word that is right elsewhere is not allowed here. */
function whyNot(value: string, schema: Schema): string | undefined {
  if (schema.is === "either")
    return schema.of.map((one) => whyNot(value, one)).find((why) => why !== undefined);
  const reasons = schema.is === "word" ? (schema.why_not ?? {}) : {};
  const why = Object.hasOwn(reasons, value) ? reasons[value] : undefined;
  return why === true ? undefined : why;
}

function wordsOf(schema: Schema): readonly string[] {
  if (schema.is === "either") return schema.of.flatMap(wordsOf);
  return schema.is === "word" ? schema.words.filter((word) => typeof word === "string") : [];
}

function shownValue(value: unknown): string {
  const text = writtenValue(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Never throws, also for what JSON can't carry: a user's object may contain itself. */
function writtenValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  return JSON.stringify(frozenCopy(value)) ?? String(value);
}
