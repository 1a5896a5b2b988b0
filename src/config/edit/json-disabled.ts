import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { type FlowList, type Span, splice, withItem, withoutItem } from "./flow-list.ts";

const PATH = ["hooks", "disabled"];

/** Ways to add a name to `hooks.disabled` of a JSON text; everything else stays as written. */
export function* addToJson(text: string, name: string): Generator<string> {
  const list = listIn(text);
  if (list !== undefined) yield withItem(text, list, JSON.stringify(name));
  yield* onOneLine(text, name);
  // As the first key: after the last one it would come between that and its comment.
  const options = { formattingOptions: formatOf(text), getInsertionIndex: () => 0 };
  yield applyEdits(text, modify(text, PATH, [name], options));
}

/** Keeps an object on one line that is on one line. */
function* onOneLine(text: string, name: string): Generator<string> {
  const tree = parseTree(text);
  const hooks = tree === undefined ? undefined : findNodeAtLocation(tree, ["hooks"]);
  const node = hooks ?? tree;
  if (node?.type !== "object") return;
  const [first] = node.children ?? [];
  const start = first?.offset ?? node.offset + 1;
  if (text.slice(node.offset, first?.offset ?? node.offset + node.length).includes("\n")) return;
  const space = /"\s*:[ \t]/.test(text) ? " " : "";
  const value = `"disabled":${space}${JSON.stringify([name])}`;
  const written = hooks === undefined ? `"hooks":${space}{${value}}` : value;
  yield splice(text, { start, end: start }, first === undefined ? written : `${written},${space}`);
}

export function removeFromJson(text: string, name: string): string {
  const list = listIn(text);
  const index = list?.values.indexOf(name) ?? -1;
  return list === undefined || index === -1 ? text : withoutItem(text, list, index);
}

function listIn(text: string): (FlowList & { readonly values: readonly unknown[] }) | undefined {
  const tree = parseTree(text);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, PATH);
  if (node?.type !== "array") return undefined;
  const items = node.children ?? [];
  return { span: spanOf(node), items: items.map(spanOf), values: items.map(({ value }): unknown => value) };
}

function spanOf({ offset, length }: { readonly offset: number; readonly length: number }): Span {
  return { start: offset, end: offset + length };
}

function formatOf(text: string) {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  const insertSpaces = !indent.startsWith("\t");
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
