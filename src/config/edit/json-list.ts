import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { type ListKey, type Span, splice, type ValueList, withItem, withoutValue } from "./flow-list.ts";
import { setJson } from "./set-json.ts";

/** Ways to add a name to a list of `hooks` of a JSON text; everything else stays as written. */
export function* addToJson(text: string, key: ListKey, name: string): Generator<string> {
  const list = listIn(text, key);
  if (list !== undefined) yield withItem(text, list, JSON.stringify(name));
  yield* onOneLine(text, key, name);
  // As the first key: after the last one it would come between that and its comment.
  yield setJson(text, ["hooks", key], [name], { getInsertionIndex: () => 0 });
}

/** Keeps an object on one line that is on one line. */
function* onOneLine(text: string, key: ListKey, name: string): Generator<string> {
  const tree = parseTree(text);
  const hooks = tree === undefined ? undefined : findNodeAtLocation(tree, ["hooks"]);
  const node = hooks ?? tree;
  if (node?.type !== "object") return;
  const [first] = node.children ?? [];
  const start = first?.offset ?? node.offset + 1;
  if (text.slice(node.offset, first?.offset ?? node.offset + node.length).includes("\n")) return;
  const space = /"\s*:[ \t]/.test(text) ? " " : "";
  const value = `"${key}":${space}${JSON.stringify([name])}`;
  const written = hooks === undefined ? `"hooks":${space}{${value}}` : value;
  yield splice(text, { start, end: start }, first === undefined ? written : `${written},${space}`);
}

export function removeFromJson(text: string, key: ListKey, name: string): string {
  return withoutValue(text, listIn(text, key), name);
}

function listIn(text: string, key: ListKey): ValueList | undefined {
  const tree = parseTree(text);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, ["hooks", key]);
  if (node?.type !== "array") return undefined;
  const items = node.children ?? [];
  return { span: spanOf(node), items: items.map(spanOf), values: items.map(({ value }): unknown => value) };
}

function spanOf({ offset, length }: { readonly offset: number; readonly length: number }): Span {
  return { start: offset, end: offset + length };
}
