import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { columnOf, splice, withItem, withoutItem } from "./flow-list.ts";

/** `hooks.disabled` of a YAML text with a name more; everything else stays as it is written. */
export function addToYaml(text: string, name: string): string {
  const written = scalar(name);
  const document = parseDocument(text, { logLevel: "silent" });
  const hooks = document.get("hooks");
  if (!isMap(hooks)) {
    document.setIn(["hooks"], document.createNode({ disabled: [name] }));
    return document.toString({ lineWidth: 0 });
  }
  const list = pairOf(hooks, "disabled")?.value;
  if (isSeq(list) && list.range) {
    const [start, end] = list.range;
    if (list.flow === true) return withItem(text, { span: { start, end }, items: spansOf(list) }, written);
    const last = spansOf(list).at(-1);
    if (last !== undefined) {
      const line = lineAround(text, last.end - 1);
      const indent = " ".repeat(columnOf(text, start));
      return splice(text, { start: line.end, end: line.end }, `${indent}- ${written}\n`);
    }
  }
  const [first] = hooks.items;
  const at = isScalar(first?.key) && first.key.range ? first.key.range[0] : undefined;
  if (list !== undefined || at === undefined || hooks.flow === true) {
    document.setIn(["hooks", "disabled"], document.createNode([name], { flow: true }));
    return document.toString({ lineWidth: 0 });
  }
  return splice(text, { start: at, end: at }, `disabled: [${written}]\n${" ".repeat(columnOf(text, at))}`);
}

/** `hooks.disabled` of a YAML text without a name. */
export function removeFromYaml(text: string, name: string): string {
  const document = parseDocument(text, { logLevel: "silent" });
  const hooks = document.get("hooks");
  const list = isMap(hooks) ? pairOf(hooks, "disabled")?.value : undefined;
  if (!isSeq(list) || !list.range) return text;
  const index = list.items.findIndex((item) => isScalar(item) && item.value === name);
  const item = spansOf(list)[index];
  if (item === undefined) return text;
  const [start, end] = list.range;
  if (list.flow === true) return withoutItem(text, { span: { start, end }, items: spansOf(list) }, index);
  if (list.items.length > 1) return splice(text, lineAround(text, item.start), "");
  // An empty list can't be written in lines.
  const line = lineAround(text, item.start);
  const before = text.slice(0, line.start).trimEnd();
  return `${before} []${text.slice(before.length, line.start)}${text.slice(line.end)}`;
}

/** A name as a list in brackets and one in lines both take it. */
function scalar(name: string): string {
  const isPlain = /^[A-Za-z][\w.-]*$/.test(name) && stringify(name).trimEnd() === name;
  return isPlain ? name : JSON.stringify(name);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function spansOf(list: YAMLSeq): readonly { readonly start: number; readonly end: number }[] {
  return list.items.flatMap((item) =>
    isScalar(item) && item.range ? [{ start: item.range[0], end: item.range[1] }] : [],
  );
}

/** The whole line around a place, with its end. */
function lineAround(text: string, offset: number): { readonly start: number; readonly end: number } {
  const end = text.indexOf("\n", offset);
  return { start: text.lastIndexOf("\n", offset - 1) + 1, end: end === -1 ? text.length : end + 1 };
}
