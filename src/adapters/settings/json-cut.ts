import type { Node } from "jsonc-parser";

/**
 * Takes a member out of a text: the member with one comma and the white space that came with it, and what was made to
 * hold it. Comments around it stay.
 *
 * @returns `undefined` when nothing is left for which a file was made.
 */
export function cut(text: string, member: Node): string | undefined {
  const container = member.parent;
  if (container === undefined) return text.trimEnd() === text ? text.slice(0, member.offset) : undefined;
  // A property is a pair: what is cut is the whole of it.
  if (container.type === "property") return cut(text, container);
  if (wasMadeFor(text, container, member)) return cut(text, container);
  const siblings = container.children ?? [];
  const at = siblings.indexOf(member);
  const [previous, next] = [siblings[at - 1], siblings[at + 1]];
  const { offset } = member;
  const end = endOf(member);
  const before = previous && commaIn(text, endOf(previous), offset);
  if (before !== undefined && isBlank(text.slice(before + 1, offset))) return without(text, [before, end]);
  const after = commaIn(text, end, next?.offset ?? endOf(container) - 1);
  if (before !== undefined && (next === undefined || after === undefined))
    return without(text, [before, before + 1], wholeLine(text, offset, end));
  if (after === undefined) return without(text, [offset, end]);
  if (next !== undefined && isBlank(text.slice(end, after) + text.slice(after + 1, next.offset)))
    return without(text, [offset, next.offset]);
  return without(text, [offset, end], [after, after + 1]);
}

/** A list or object that we made starts with a line end, and neither it nor its key has anything else by now. */
function wasMadeFor(text: string, container: Node, member: Node): boolean {
  const inside = text.slice(container.offset + 1, member.offset);
  const behind = text.slice(endOf(member), endOf(container) - 1);
  const key = container.parent?.type === "property" ? container.parent.children?.[0] : undefined;
  const around =
    container.parent === undefined
      ? text.slice(0, container.offset) + text.slice(endOf(container))
      : text.slice(key === undefined ? container.offset : endOf(key) + 1, container.offset);
  return container.children?.length === 1 && inside !== "" && isBlank(around + inside + behind);
}

type Range = readonly [from: number, to: number];

/** A range, and its line with it when nothing else is on that. */
function wholeLine(text: string, from: number, to: number): Range {
  const start = from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0);
  const rest = /^[ \t]*\r?\n/.exec(text.slice(to))?.[0].length;
  return rest !== undefined && text[start - 1] === "\n" ? [start, to + rest] : [from, to];
}

function without(text: string, ...ranges: readonly Range[]): string {
  return ranges.toReversed().reduce((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
}

/** Where the comma is between two members, between which are only space and comments besides. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const found = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(from, to));
  return found === null ? undefined : from + found[0].length - 1;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
