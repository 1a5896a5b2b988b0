import { didYouMean } from "../core/base/suggest.ts";
import { formatFieldPath, scanFieldPath } from "./fields/field-path.ts";
import { compileField, type Field } from "./fields/fields.ts";
import type { JudgedEvent } from "./fields/judged-event.ts";
import type { RuleValue } from "./rule.ts";
import { RuleError } from "./rule-error.ts";

/** A compiled template: text with `{{field | filter}}` in it. */
export interface Template {
  /** The fields it names, in order. */
  readonly fields: readonly string[];
  render(subject: JudgedEvent): string;
  /** What {@link render} joins: the text as written, and the value of each slot. */
  parts(subject: JudgedEvent): readonly (string | TemplateValue)[];
}

/** The value of one slot, after its filters. */
export interface TemplateValue {
  /** The text between the braces: field and filters. */
  readonly slot: string;
  readonly value: unknown;
}

type Filter = (value: unknown) => unknown;

const FILTER = /\s*\|\s*([A-Za-z_]+)\s*(?:\(\s*(-?\d+|"(?:[^"\\]|\\.)*"|'[^']*')?\s*\))?/y;

/** Filters by name; `argument` says what their parentheses hold. */
const FILTERS: Readonly<
  Record<string, { readonly argument: "none" | "number" | "any"; make(argument: string | number): Filter }>
> = {
  length: { argument: "none", make: () => lengthOf },
  json: { argument: "none", make: () => (value) => JSON.stringify(value) ?? "" },
  upper: { argument: "none", make: () => (value) => rendered(value).toUpperCase() },
  lower: { argument: "none", make: () => (value) => rendered(value).toLowerCase() },
  truncate: { argument: "number", make: (most) => (value) => truncated(rendered(value), Number(most)) },
  default: { argument: "any", make: (other) => (value) => (rendered(value) === "" ? other : value) },
};

/** @public for the page of rules in the docs */
export const FILTER_NAMES: readonly string[] = Object.keys(FILTERS);

/**
 * Compiles a template. A field that an event does not have renders as nothing, an object or list as JSON.
 *
 * @throws TenterhookError `bad_rule` for an unclosed `{{`, an unknown filter or a filter without its argument.
 */
export function compileTemplate(text: string): Template {
  const slots: (
    | string
    | { readonly written: string; readonly field: Field; readonly filters: readonly Filter[] }
  )[] = [];
  const fields: string[] = [];
  let at = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", at)) {
    slots.push(text.slice(at, open));
    const { path, filters, end } = readSlot(text, open);
    const name = formatFieldPath(path);
    fields.push(name);
    const written = text
      .slice(open + 2, end - 2)
      .trim()
      .replaceAll(/\s+/g, " ");
    slots.push({ written, field: compileField(name), filters });
    at = end;
  }
  slots.push(text.slice(at));
  const parts = (subject: JudgedEvent) =>
    slots.map((slot) => {
      if (typeof slot === "string") return slot;
      const value = slot.filters.reduce((found, filter) => filter(found), slot.field.value(subject));
      return { slot: slot.written, value };
    });
  const render = (subject: JudgedEvent) =>
    parts(subject)
      .map((part) => (typeof part === "string" ? part : rendered(part.value)))
      .join("");
  return { fields, render, parts };
}

/** Renders every string inside a value. */
export function renderValue(value: RuleValue, subject: JudgedEvent): RuleValue {
  if (typeof value === "string") return value.includes("{{") ? compileTemplate(value).render(subject) : value;
  if (Array.isArray(value)) return value.map((item: RuleValue) => renderValue(item, subject));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderValue(item, subject)]));
}

/** The first `most` code points, so that no character is cut in two. */
function truncated(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

function readSlot(text: string, open: number) {
  const start = open + 2 + (/^\s*/.exec(text.slice(open + 2, open + 66))?.[0].length ?? 0);
  const scanned = scanFieldPath(text, start);
  if (scanned === undefined) throw bad(text, open, "expected a field after {{");
  const { path } = scanned;
  let { end } = scanned;
  const filters: Filter[] = [];
  for (;;) {
    FILTER.lastIndex = end;
    const found = FILTER.exec(text);
    if (found === null) break;
    filters.push(makeFilter(found[1] ?? "", found[2], text, end));
    end += found[0].length;
  }
  while (text[end] === " ") end += 1;
  if (!text.startsWith("}}", end)) throw bad(text, end, "expected | and a filter, or }}");
  return { path, filters, end: end + 2 };
}

function makeFilter(name: string, argument: string | undefined, text: string, at: number): Filter {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) {
    throw bad(text, at, `unknown filter ${JSON.stringify(name)}.${didYouMean(name, Object.keys(FILTERS))}`);
  }
  if (filter.argument === "none") return filter.make("");
  if (argument === undefined || (filter.argument === "number" && !/^\d+$/.test(argument))) {
    throw bad(
      text,
      at,
      `the filter ${name} needs ${filter.argument === "number" ? "a number" : "a string"} in parentheses`,
    );
  }
  const value = argumentOf(argument);
  if (value === undefined) throw bad(text, at, `${argument} is not a string with JSON escapes`);
  return filter.make(value);
}

function argumentOf(written: string): string | number | undefined {
  if (written.startsWith("'")) return written.slice(1, -1);
  if (!written.startsWith('"')) return Number(written);
  try {
    return String(JSON.parse(written));
  } catch {
    return undefined;
  }
}

function rendered(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "object" && value !== null) return Object.keys(value).length;
  return Array.from(rendered(value)).length;
}

function bad(text: string, at: number, problem: string): RuleError {
  const near = text.slice(Math.max(0, at - 20), at + 40);
  return new RuleError(
    "bad_rule",
    `In the template at character ${at + 1}: ${problem}; near ${JSON.stringify(near)}.`,
    { character: at },
  );
}
