/** The lists of names in `hooks`. */
export type ListKey = "disabled" | "use";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A list in brackets and the positions of its items. `span` includes the brackets. */
export interface FlowList {
  readonly span: Span;
  readonly items: readonly Span[];
}

export interface ValueList extends FlowList {
  readonly values: readonly unknown[];
}

/** Adds an item at the end of the list. */
export function withItem(text: string, { span, items }: FlowList, item: string): string {
  const last = items.at(-1);
  if (last === undefined) return splice(text, { start: span.start + 1, end: span.start + 1 }, item);
  const between = items.length > 1 ? text.slice(items.at(-2)?.end, last.start) : "";
  // Items on lines of their own stay so; a comment between two of them is not repeated.
  const gap = between.includes("\n") ? `,${lineEnd(text)}${" ".repeat(columnOf(text, last.start))}` : ", ";
  return splice(text, { start: last.end, end: last.end }, `${gap}${item}`);
}

/** Removes a value of the list with its comma. */
export function withoutValue(text: string, list: ValueList | undefined, value: string): string {
  const index = list?.values.indexOf(value) ?? -1;
  return list === undefined || index === -1 ? text : withoutItem(text, list, index);
}

/** Removes an item of the list with its comma. */
export function withoutItem(text: string, { span, items }: FlowList, index: number): string {
  const item = items[index];
  if (item === undefined) return text;
  const next = items[index + 1];
  const previous = items[index - 1];
  if (next !== undefined) return splice(text, { start: item.start, end: next.start }, "");
  const after = /^\s*,/.exec(text.slice(item.end, span.end - 1))?.[0].length ?? 0;
  return splice(text, { start: previous?.end ?? item.start, end: item.end + after }, "");
}

export function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The text, with an end to its last line. */
export function endLine(text: string): string {
  return text.trim() === "" || text.endsWith("\n") ? text : `${text}${lineEnd(text)}`;
}

export function splice(text: string, { start, end }: Span, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}
