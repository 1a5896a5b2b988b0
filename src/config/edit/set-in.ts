import { extname } from "node:path";
import { parse as parseToml, patch as patchToml } from "@decimalturn/toml-patch";
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { type Document, isScalar, parseDocument, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { parseText } from "../parse/parse.ts";

/** Keys and list indexes that lead to a value; the index -1 is behind the last item. */
export type EditPath = readonly (string | number)[];

type SetIn = (text: string, path: EditPath, value: unknown) => string;

const EDITORS: ReadonlyMap<string, SetIn> = new Map<string, SetIn>([
  [".json", setInJson],
  [".jsonc", setInJson],
  [".toml", (text, path, value) => patchToml(text, changed(parseToml(text), path, value))],
]);

/**
 * The text of a configuration file with a value at a path, or with `undefined` without one; as it is when it says so
 * already. Comments stay, and so do all other values; the space between them may change.
 *
 * @throws ConfigError `config_syntax` for a file that can't be read; TenterhookError `write_failed` for one that can only
 * be changed by hand.
 */
export function setIn(file: string, text: string, path: EditPath, value: unknown): string {
  const before = parseText(file, text).value ?? {};
  const wanted = changed(before, path, value);
  if (sameJson(before, wanted)) return text;
  let cause: unknown;
  try {
    const edited = (EDITORS.get(extname(file).toLowerCase()) ?? setInYaml)(text, path, value);
    if (sameJson(parseText(file, edited).value, wanted)) return edited;
  } catch (error) {
    cause = error;
  }
  const where = path.filter((step) => typeof step === "string").join(".");
  throw new TenterhookError(
    "write_failed",
    `${where} of ${file} is written in a way that can't be changed here.`,
    {
      hint: `Edit the file by hand: ${value === undefined ? "remove it" : `it is to have ${JSON.stringify(value)}`}.`,
      cause,
    },
  );
}

/** A JSON text with a value at a path, indented as the rest is. Comments and everything else stay as written. */
export function setInJson(text: string, path: EditPath, value: unknown): string {
  const before = text.trim() === "" ? "{}\n" : text;
  const [, indent] = /\n([ \t]+)\S/.exec(before) ?? [];
  const isOneLine = indent === undefined && text.trim() !== "";
  const insertSpaces = indent?.startsWith("\t") !== true;
  const formattingOptions = {
    insertSpaces,
    tabSize: insertSpaces ? (indent ?? "  ").length : 1,
    eol: before.includes("\r\n") ? "\r\n" : "\n",
  };
  const last = value === undefined ? lastItem(before, path) : undefined;
  if (last !== undefined) return `${before.slice(0, last.start)}${before.slice(last.end)}`;
  const edits = modify(before, [...path], value, {
    isArrayInsertion: path.at(-1) === -1,
    // As the first key: after the last one it would come between that and its comment.
    getInsertionIndex: () => 0,
    ...(isOneLine ? {} : { formattingOptions }),
  });
  return applyEdits(before, edits);
}

/** The last of several items with the comma before it, which the library can only take from a line of its own. */
function lastItem(text: string, path: EditPath): { start: number; end: number } | undefined {
  const tree = parseTree(text);
  const list = tree && findNodeAtLocation(tree, [...path.slice(0, -1)]);
  const [previous, last] = list?.type === "array" ? (list.children ?? []).slice(-2) : [];
  if (previous === undefined || last === undefined || list?.children?.length !== Number(path.at(-1)) + 1)
    return undefined;
  return { start: previous.offset + previous.length, end: last.offset + last.length };
}

function setInYaml(text: string, path: EditPath, value: unknown): string {
  const document = parseDocument(text, { logLevel: "silent" });
  for (const [length, step] of path.entries()) {
    const around = path.slice(0, length);
    const node: unknown = length === 0 ? document.contents : document.getIn(around, true);
    const isNull = isScalar(node) && node.value === null;
    if (node !== null && node !== undefined && !isNull) continue;
    const made = document.createNode(typeof step === "number" ? [] : {});
    if (isNull && node.comment) made.commentBefore = node.comment;
    document.setIn(around, made);
  }
  if (path.at(-1) === -1) document.addIn(path.slice(0, -1), yamlNode(document, value));
  else if (value === undefined) document.deleteIn(path);
  else document.setIn(path, typeof value === "object" ? yamlNode(document, value) : value);
  const edited = laidOutAs(text, document);
  return text.includes("\r\n") ? edited.replaceAll("\n", "\r\n") : edited;
}

/** Short lists and maps are written in brackets. */
function yamlNode(document: Document, value: unknown) {
  const items = typeof value === "object" && value !== null ? Object.values(value) : [];
  return document.createNode(value, { flow: items.every((item) => typeof item !== "object") });
}

/** The document with the indentation of a text, and as much space in brackets. */
function laidOutAs(text: string, document: Document): string {
  const padding = { Seq: /\[ +\S/.test(text) ? " " : "", Map: /\{[^\s}]/.test(text) ? "" : " " };
  const pad = (node: YAMLSeq | YAMLMap, flowCollectionPadding: string): void => {
    const print = node.toString.bind(node);
    node.toString = (context, ...rest) => print(context && { ...context, flowCollectionPadding }, ...rest);
  };
  visit(document, {
    Seq: (_, node) => pad(node, padding.Seq),
    Map: (_, node) => pad(node, padding.Map),
  });
  const [, indent = "  "] = /\n( +)\S/.exec(text) ?? [];
  const indentSeq = !/^( *)[^\s#-].*:[ \t]*(?:#.*)?\r?\n\1- /m.test(text);
  return document.toString({ lineWidth: 0, indent: indent.length, indentSeq });
}

function changed(whole: unknown, [step, ...rest]: EditPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: readonly unknown[] = Array.isArray(whole) ? whole : [];
    const at = step === -1 ? list.length : step;
    const item = changed(list[at], rest, value);
    return [...list.slice(0, at), ...(item === undefined ? [] : [item]), ...list.slice(at + 1)];
  }
  const { [step]: before, ...others } = isRecord(whole) ? whole : {};
  const inside = changed(before, rest, value);
  if (inside === undefined) return others;
  return isRecord(whole) && step in whole ? { ...whole, [step]: inside } : { ...others, [step]: inside };
}
