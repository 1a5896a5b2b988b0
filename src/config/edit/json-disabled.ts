import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { type FlowList, type Span, withItem, withoutItem } from "./flow-list.ts";

const PATH = ["hooks", "disabled"];

/** `hooks.disabled` of a JSON text with a name more; comments and the rest stay as they are written. */
export function addToJson(text: string, name: string): string {
  const list = listIn(text);
  if (list !== undefined) return withItem(text, list, JSON.stringify(name));
  // As the first key: after the last one it would come between that and its comment.
  const options = { formattingOptions: formatOf(text), getInsertionIndex: () => 0 };
  return applyEdits(text, modify(text, PATH, [name], options));
}

/** `hooks.disabled` of a JSON text without a name. */
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

/** The indent the file has already. */
function formatOf(text: string) {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  const insertSpaces = !indent.startsWith("\t");
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
