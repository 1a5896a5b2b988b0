import { parse, TomlError } from "smol-toml";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson, sameJson } from "../../core/base/json.ts";
import type { SettingsText } from "./json-edit.ts";

/*
 * TOML of other programs, edited in place: tables with a text each, added at the end and removed again. Everything else
 * stays to the byte, comments included. Every edit is parsed again: it changes what it should and nothing else, or it is
 * not made. All of it throws TenterhookError `settings_unreadable` when the text can't be parsed.
 */

/** A table below a section: `[hooks.state."name"]` with one key. */
export interface TomlTable {
  /** The section, without quotes: `hooks.state`. */
  readonly section: string;
  readonly name: string;
  readonly key: string;
}

/** The tables of a section by name. */
export function tomlTables(text: SettingsText, section: string): Readonly<Record<string, unknown>> {
  const found = valueIn(parsed(text), section.split("."));
  return isRecord(found) ? found : {};
}

/** The text with this value in the table. A table that is there must have a header of its own. */
export function setInTable(text: SettingsText, table: TomlTable, value: string): string {
  const before = text ?? "";
  const line = `${table.key} = ${JSON.stringify(value)}`;
  const block = blockOf(before, table);
  let after: string;
  if (block === undefined) after = appended(before, `${header(table)}${eol(before)}${line}`);
  else {
    const inside = before.slice(block.start, block.end);
    const own = new RegExp(`^[ \\t]*${table.key}[ \\t]*=.*?(?=\\r?$)`, "m");
    const changed = own.test(inside)
      ? inside.replace(own, () => line)
      : inside.replace(/\r?\n|$/, (end) => `${end === "" ? eol(before) : end}${line}${end}`);
    after = before.slice(0, block.start) + changed + before.slice(block.end);
  }
  checkOnly(before, after, table, value);
  return after;
}

/** The text without these tables; `undefined` when nothing else was in it. */
export function removeTables(text: SettingsText, tables: readonly TomlTable[]): SettingsText {
  if (text === undefined) return undefined;
  let left = text;
  for (const table of tables) {
    const block = blockOf(left, table);
    if (block === undefined) continue;
    const isLast = block.end === left.length && !left.endsWith("\n");
    const gap =
      left.slice(0, block.start).match(isLast ? /(?:\r?\n){1,2}$/ : /(?<=\n)\r?\n$/)?.[0].length ?? 0;
    // The first table of a file that we made has no line before it, but one behind it.
    const rest = left.slice(block.end).replace(block.start === 0 ? /^\r?\n/ : /^/, "");
    const after = left.slice(0, block.start - gap) + rest;
    checkOnly(left, after, table, undefined);
    left = after;
  }
  return left === "" && text !== "" ? undefined : left;
}

function header({ section, name }: TomlTable): string {
  return `[${section}.${JSON.stringify(name)}]`;
}

function eol(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** A text that ends without a line end still does so afterwards: so the old bytes can be had back. */
function appended(text: string, block: string): string {
  const end = eol(text);
  if (text === "") return `${block}${end}`;
  return text.endsWith("\n") ? `${text}${end}${block}${end}` : `${text}${end}${end}${block}`;
}

/** From the table's header to the end of its last key: what comes behind belongs to the next table. */
function blockOf(text: string, { section, name }: TomlTable): { start: number; end: number } | undefined {
  const parts = section.split(".").join("[ \\t]*\\.[ \\t]*");
  const heads = new RegExp(
    `^[ \\t]*\\[[ \\t]*${parts}[ \\t]*\\.[ \\t]*("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*')[ \\t]*\\]`,
    "gm",
  );
  for (const found of text.matchAll(heads)) {
    if (unquoted(found[1] ?? "") !== name) continue;
    const start = found.index;
    const rest = text.slice(start);
    const next = rest.slice(1).search(/^[ \t]*\[/m);
    const whole = next === -1 ? rest : rest.slice(0, next + 1);
    const keys = [...whole.matchAll(/^[ \t]*[\w"'-]+[ \t]*=[^\n]*(?:\n|$)/gm)].at(-1);
    const length = keys === undefined ? whole.indexOf("\n") + 1 || whole.length : keys.index + keys[0].length;
    return { start, end: start + length };
  }
  return undefined;
}

function unquoted(given: string): unknown {
  return given.startsWith("'") ? given.slice(1, -1) : parseJson(given);
}

/** @throws TenterhookError unless the edit changes this value alone. */
function checkOnly(
  before: string,
  after: string,
  { section, name, key }: TomlTable,
  value: string | undefined,
): void {
  const path = [...section.split("."), name];
  const was = parsed(before);
  const is = parsed(after);
  const there = valueIn(is, path);
  const isSet = value === undefined ? there === undefined : isRecord(there) && there[key] === value;
  if (isSet && sameJson(without(was, path), without(is, path))) return;
  throw new TenterhookError(
    "settings_unreadable",
    `The table ${section}.${JSON.stringify(name)} can't be changed without changing more.`,
    { hint: "Write it as a table of its own, with a header. The file was not changed." },
  );
}

function parsed(text: SettingsText): Readonly<Record<string, unknown>> {
  try {
    return parse(text ?? "");
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [problem = ""] = error.message.split("\n");
    throw new TenterhookError("settings_unreadable", `Line ${error.line}: ${problem}.`);
  }
}

function valueIn(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** A copy without the value at a path, and without what then contains nothing. */
function without(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (!isRecord(value) || first === undefined || !Object.hasOwn(value, first)) return value;
  const { [first]: inner, ...others } = value;
  const left = rest.length === 0 ? undefined : without(inner, rest);
  const isEmpty = left === undefined || (isRecord(left) && Object.keys(left).length === 0);
  return isEmpty ? others : { ...others, [first]: left };
}
