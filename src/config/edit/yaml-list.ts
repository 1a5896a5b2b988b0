import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { columnOf, type ListKey, lineEnd, type Span, splice, withItem, withoutItem } from "./flow-list.ts";

/** Ways to add a name to a list of `hooks` of a YAML text; everything else stays as written. */
export function* addToYaml(text: string, key: ListKey, name: string): Generator<string> {
  const document = parseDocument(text, { logLevel: "silent" });
  const { contents } = document;
  const written = scalar(name);
  if (contents === null) yield atTheEnd(text, `hooks:\n  ${key}: [${written}]\n`);
  if (isMap(contents)) {
    const hooks = pairOf(contents, "hooks");
    if (isMap(hooks?.value)) yield* addToHooks(text, hooks.value, key, written);
    else if (hooks !== undefined) yield* inPlaceOfNothing(text, hooks, `{ ${key}: [${written}] }`);
    else if (contents.flow === true) yield* asFirstKey(text, contents, `hooks: { ${key}: [${written}] }`);
    else yield atTheEnd(text, `hooks:\n  ${key}: [${written}]\n`);
  }
  const names = document.createNode([...namesIn(document, key), name], { flow: true });
  if (isMap(document.get("hooks"))) document.setIn(["hooks", key], names);
  else document.setIn(["hooks"], document.createNode({ [key]: names }));
  yield document.toString({ lineWidth: 0 });
}

function* addToHooks(text: string, hooks: YAMLMap, key: ListKey, written: string): Generator<string> {
  const pair = pairOf(hooks, key);
  const list = pair?.value;
  if (isSeq(list) && list.range) {
    const [start, end] = list.range;
    if (list.flow === true) yield withItem(text, { span: { start, end }, items: spansOf(list) }, written);
    const last = spansOf(list).at(-1);
    if (list.flow === true || last === undefined) return;
    const line = lineAround(text, last.end - 1);
    const item = `${" ".repeat(columnOf(text, start))}- ${written}`;
    const ended = text[line.end - 1] === "\n";
    const more = ended ? `${item}${lineEnd(text)}` : `${lineEnd(text)}${item}`;
    yield splice(text, { start: line.end, end: line.end }, more);
  } else if (pair !== undefined) yield* inPlaceOfNothing(text, pair, `[${written}]`);
  else yield* asFirstKey(text, hooks, `${key}: [${written}]`);
}

/** Gives a value to a key that has none. */
function* inPlaceOfNothing(text: string, { key, value }: Pair, written: string): Generator<string> {
  if (!isScalar(key) || !key.range || !isScalar(value) || value.value !== null || !value.range) return;
  const [start, end] = value.range;
  const after = text.indexOf(":", key.range[1]) + 1;
  if (end > start) yield splice(text, { start, end }, written);
  else yield splice(text, { start: after, end: after }, ` ${written}`);
}

/** Adds the first key: after the last one, it would separate that from its comment. */
function* asFirstKey(text: string, map: YAMLMap, written: string): Generator<string> {
  const [first] = map.items;
  const at = isScalar(first?.key) && first.key.range ? first.key.range[0] : undefined;
  const insert = (start: number, what: string): string => splice(text, { start, end: start }, what);
  if (at !== undefined && map.flow === true) {
    const isBelow = text.slice(map.range?.[0] ?? at, at).includes("\n");
    const gap = isBelow ? `${lineEnd(text)}${" ".repeat(columnOf(text, at))}` : " ";
    yield insert(at, `${text[at] === '"' ? written.replace(/^\w+/, '"$&"') : written},${gap}`);
  }
  if (at !== undefined) yield insert(at, `${written}${lineEnd(text)}${" ".repeat(columnOf(text, at))}`);
  else if (map.range) yield insert(map.range[0] + 1, ` ${written} `);
}

function atTheEnd(text: string, lines: string): string {
  const end = lineEnd(text);
  return `${text}${text === "" || text.endsWith("\n") ? "" : end}${lines.replaceAll("\n", end)}`;
}

function namesIn(document: Document, key: ListKey): readonly unknown[] {
  const list = document.getIn(["hooks", key]);
  return isSeq(list) ? list.items.map((item) => (isScalar(item) ? item.value : item)) : [];
}

export function removeFromYaml(text: string, key: ListKey, name: string): string {
  const document = parseDocument(text, { logLevel: "silent" });
  const hooks = document.get("hooks");
  const list = isMap(hooks) ? pairOf(hooks, key)?.value : undefined;
  if (!isSeq(list) || !list.range) return text;
  const index = list.items.findIndex((item) => isScalar(item) && item.value === name);
  const item = spansOf(list)[index];
  if (item === undefined) return text;
  const [start, end] = list.range;
  if (list.flow === true) return withoutItem(text, { span: { start, end }, items: spansOf(list) }, index);
  if (list.items.length > 1) return withoutLine(text, lineAround(text, item.start));
  // An empty list can't be written in lines.
  const line = lineAround(text, item.start);
  const before = text.slice(0, line.start).trimEnd();
  return `${before} []${text.slice(before.length, line.start)}${text.slice(line.end)}`;
}

/** A name as it can be written in either form of a list. */
function scalar(name: string): string {
  const isPlain = /^[A-Za-z][\w.-]*$/.test(name) && stringify(name).trimEnd() === name;
  return isPlain ? name : JSON.stringify(name);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function spansOf(list: YAMLSeq): readonly Span[] {
  return list.items.flatMap((item) =>
    (isScalar(item) || isMap(item)) && item.range ? [{ start: item.range[0], end: item.range[1] }] : [],
  );
}

/** Removes a line; text without a final line end gets none. */
function withoutLine(text: string, { start, end }: Span): string {
  if (end < text.length || text.endsWith("\n")) return splice(text, { start, end }, "");
  return text.slice(0, start).replace(/\r?\n$/, "");
}

function lineAround(text: string, offset: number): Span {
  const end = text.indexOf("\n", offset);
  return { start: text.lastIndexOf("\n", offset - 1) + 1, end: end === -1 ? text.length : end + 1 };
}
