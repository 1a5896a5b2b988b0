import { parseToml } from "../parse/parse-toml.ts";
import {
  endLine,
  type ListKey,
  lineEnd,
  type Span,
  splice,
  type ValueList,
  withItem,
  withoutValue,
} from "./flow-list.ts";

const HOOKS = `[ \\t]*(?:hooks|"hooks"|'hooks')[ \\t]*`;

/** Where the table may begin. Multi-line strings can contain the same. */
const HEADER = new RegExp(`^[ \\t]*\\[${HOOKS}\\][^\\n]*(?:\\n|$)`, "gm");
const DOTTED = new RegExp(`^${HOOKS}\\.`, "gm");
const INLINE = new RegExp(`^${HOOKS}=[ \\t]*\\{[ \\t]*(\\}?)`, "gm");
const INNER = new RegExp(`^[ \\t]*\\[{1,2}${HOOKS}\\.`, "gm");

/** Ways to add a name to a list of `hooks` of a TOML text; everything else stays as written. */
export function* addToToml(text: string, key: ListKey, name: string): Generator<string> {
  const list = listIn(text, key);
  const written = JSON.stringify(name);
  if (list !== undefined) {
    yield withItem(text, list, written);
    return;
  }
  const end = lineEnd(text);
  const line = `${key} = [${written}]${end}`;
  const insert = (at: number, what: string): string => splice(text, { start: at, end: at }, what);
  for (const { index, 0: header } of text.matchAll(HEADER))
    yield insert(index + header.length, `${header.endsWith("\n") ? "" : end}${line}`);
  for (const { index } of text.matchAll(DOTTED)) yield insert(index, `hooks.${line}`);
  for (const { index, 0: start, 1: close = "" } of text.matchAll(INLINE))
    yield insert(index + start.length - close.length, `${key} = [${written}]${close === "" ? ", " : ""}`);
  // Keys of the table itself come before tables inside it.
  for (const { index } of text.matchAll(INNER)) yield insert(index, `[hooks]${end}${line}${end}`);
  const before = endLine(text);
  yield `${before}${before === "" ? "" : end}[hooks]${end}${line}`;
}

export function removeFromToml(text: string, key: ListKey, name: string): string {
  return withoutValue(text, listIn(text, key), name);
}

function listIn(text: string, key: ListKey): ValueList | undefined {
  const { located } = parseToml("hooks.toml", text);
  const at = located.inside.get("hooks")?.inside.get(key)?.value;
  if (at === undefined) return undefined;
  const lines = text.split("\n");
  const start = lines.slice(0, at.line - 1).reduce((sum, line) => sum + line.length + 1, at.column - 1);
  return text[start] === "[" ? scanned(text, start) : undefined;
}

const TOKEN = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\]/g;

function scanned(text: string, start: number): ValueList {
  const items: Span[] = [];
  const values: string[] = [];
  TOKEN.lastIndex = start + 1;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [token] = found;
    if (token === "]") return { span: { start, end: found.index + 1 }, items, values };
    if (token.startsWith("#")) continue;
    items.push({ start: found.index, end: found.index + token.length });
    const { value } = parseToml("value.toml", `value = ${token}`);
    values.push(typeof value === "object" && value !== null ? String(Reflect.get(value, "value")) : "");
  }
  return { span: { start, end: text.length }, items, values };
}
