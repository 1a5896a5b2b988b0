import { parseToml } from "../parse/parse-toml.ts";
import { type FlowList, type Span, splice, withItem, withoutItem } from "./flow-list.ts";

/** `hooks.disabled` of a TOML text with a name more; comments and the rest stay as they are written. */
export function addToToml(text: string, name: string): string {
  const list = listIn(text);
  if (list !== undefined) return withItem(text, list, JSON.stringify(name));
  const line = `disabled = [${JSON.stringify(name)}]\n`;
  const header = /^[ \t]*\[[ \t]*hooks[ \t]*\][^\n]*\n?/m.exec(text);
  if (header !== null) {
    const at = header.index + header[0].length;
    return splice(text, { start: at, end: at }, `${header[0].endsWith("\n") ? "" : "\n"}${line}`);
  }
  // Keys of the table itself come before tables inside it.
  const inner = /^[ \t]*\[{1,2}[ \t]*hooks[ \t]*\./m.exec(text);
  if (inner !== null) return splice(text, { start: inner.index, end: inner.index }, `[hooks]\n${line}\n`);
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return `${before}${before === "" ? "" : "\n"}[hooks]\n${line}`;
}

/** `hooks.disabled` of a TOML text without a name. */
export function removeFromToml(text: string, name: string): string {
  const list = listIn(text);
  const index = list?.values.indexOf(name) ?? -1;
  return list === undefined || index === -1 ? text : withoutItem(text, list, index);
}

function listIn(text: string): (FlowList & { readonly values: readonly string[] }) | undefined {
  const { located } = parseToml("hooks.toml", text);
  const at = located.inside.get("hooks")?.inside.get("disabled")?.value;
  if (at === undefined) return undefined;
  const lines = text.split("\n");
  const start = lines.slice(0, at.line - 1).reduce((sum, line) => sum + line.length + 1, at.column - 1);
  return text[start] === "[" ? scanned(text, start) : undefined;
}

/** A string, a comment, or the end of the list. */
const TOKEN = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\]/g;

function scanned(text: string, start: number): FlowList & { readonly values: readonly string[] } {
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
