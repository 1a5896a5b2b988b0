import { extname } from "node:path";
import { isMap, isSeq, parseDocument } from "yaml";

/** Where a hook is defined in the text of its file. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
  /** What every line but the first begins with. */
  readonly indent: string;
}

/**
 * The definition that begins in a line. In files other than YAML that is the whole file.
 *
 * @param line from 1 on.
 */
export function placeOf(file: string, text: string, line: number): TextPlace {
  const whole = { start: 0, end: text.length, indent: "" };
  if (!/^\.ya?ml$/i.test(extname(file))) return whole;
  const hooks = parseDocument(text, { logLevel: "silent" }).get("hooks");
  const list = isMap(hooks) ? hooks.get("definitions") : undefined;
  if (!isSeq(list) || list.flow === true) return whole;
  for (const item of list.items) {
    if (!isMap(item) || item.flow === true || !item.range) continue;
    const [start, valueEnd] = item.range;
    if (text.slice(0, start).split("\n").length !== line) continue;
    const column = start - (text.lastIndexOf("\n", start - 1) + 1);
    const end = text.slice(0, valueEnd).trimEnd().length;
    return { start, end, indent: " ".repeat(column) };
  }
  return whole;
}

/** The text at a place as it would stand by itself. */
export function textAt(text: string, { start, end, indent }: TextPlace): string {
  return text
    .slice(start, end)
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n");
}

/** The file with other text at a place. */
export function withTextAt(text: string, { start, end, indent }: TextPlace, changed: string): string {
  const lines = (indent === "" ? changed : changed.trimEnd()).split("\n");
  const indented = lines.map((line, at) => (at === 0 || line === "" ? line : `${indent}${line}`));
  return `${text.slice(0, start)}${indented.join("\n")}${text.slice(end)}`;
}
