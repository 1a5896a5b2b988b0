import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { TenterhookError } from "../../core/base/errors.ts";
import { cut } from "./json-cut.ts";

/*
 * Settings of other programs, edited in place. Everything that is not ours stays to the byte, comments included, and
 * taking out what was put in gives the old bytes back. For that an insertion always comes right behind the member
 * before it, and a list or object that we had to make is distinguished from one that was there empty: only in ours the first
 * member is on a line of its own.
 *
 * All of it throws TenterhookError `settings_unreadable` with the line when the text can't be parsed, something else is in
 * the way, or a key on the way is there twice: programs differ in which of them they read.
 */

/** A settings file as text; `undefined` when the file does not exist. */
export type SettingsText = string | undefined;

/** The path of a value: keys, and places in lists, from the top. */
export type SettingsPath = readonly (string | number)[];

/** Adds a value at the end of a list, or at its start, making the list and the objects around it where they are missing. */
export function addToList(
  text: SettingsText,
  path: readonly string[],
  value: unknown,
  place: "first" | "last" = "last",
): string {
  return reaching(text, path, [value], (whole, list) => {
    if (list.type !== "array") throw unfit(whole, list, path, "a list");
    const member = (level: number) => rendered(value, style(whole), level);
    const [first] = list.children ?? [];
    if (place === "last" || first === undefined) return insert(whole, list, path.length, member);
    const space = whole.slice(list.offset + 1, first.offset);
    const between = space !== "" && space.trim() === "" ? space : " ";
    return `${whole.slice(0, first.offset)}${member(path.length + 1)},${between}${whole.slice(first.offset)}`;
  });
}

/** Adds a member at the end of an object, which does not have it, making the objects around it where they are missing. */
export function addMember(text: SettingsText, path: readonly string[], value: unknown): string {
  return reaching(text, path, value, (whole, there) => {
    throw unfit(whole, there, path, "absent");
  });
}

/** Adds what is missing of a path with a value at its end, or edits what is there. */
function reaching(
  text: SettingsText,
  path: readonly string[],
  value: unknown,
  edit: (text: string, there: Node) => string,
): string {
  if (text === undefined) return `${rendered(nested(path, value), style(""), 0)}\n`;
  if (text.trim() === "") return `${text}${rendered(nested(path, value), style(text), 0)}`;
  let node = rootOf(text);
  for (const [depth, key] of path.entries()) {
    if (node.type !== "object") throw unfit(text, node, path.slice(0, depth), "an object");
    const next = memberOf(text, node, key);
    if (next === undefined) {
      const rest = nested(path.slice(depth + 1), value);
      return insert(
        text,
        node,
        depth,
        (level) => `${JSON.stringify(key)}: ${rendered(rest, style(text), level)}`,
      );
    }
    node = next;
  }
  return edit(text, node);
}

/** Changes what is between the quotes of a string, as it is written there. */
export function editString(text: string, path: SettingsPath, edit: (written: string) => string): string {
  const node = nodeAt(text, path);
  if (node?.type !== "string") throw unfit(text, node ?? rootOf(text), path, "a text");
  const [from, to] = [node.offset + 1, node.offset + node.length - 1];
  return `${text.slice(0, from)}${edit(text.slice(from, to))}${text.slice(to)}`;
}

/**
 * Takes out the items at these places, which are in the order of the file, and the lists and objects that were made
 * for them. A place where nothing is counts for nothing.
 */
export function removeItems(text: SettingsText, places: readonly SettingsPath[]): SettingsText {
  // The last one first: those before it stay where they are.
  return places.toReversed().reduce<SettingsText>((left, path) => {
    const node = left === undefined || left.trim() === "" ? undefined : nodeAt(left, path);
    return left === undefined || node === undefined ? left : cut(left, node);
  }, text);
}

/** The value at a path, without comments. No key may be in it twice. */
export function valueAt(text: SettingsText, path: SettingsPath): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  const node = nodeAt(text, path);
  if (node === undefined) return undefined;
  checkOnce(text, node);
  return getNodeValue(node);
}

/** The line of a value, or of what it would be in. */
export function lineOf(text: string, path: SettingsPath): number {
  const node = nodeAt(text, path);
  if (node === undefined) return lineOf(text, path.slice(0, -1));
  return lineAt(text, node.offset);
}

interface Style {
  readonly indent: string;
  readonly newline: string;
}

function style(text: string): Style {
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ",
    newline: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

function rendered(value: unknown, { indent, newline }: Style, level: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll("\n", `${newline}${indent.repeat(level)}`);
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

function insert(text: string, container: Node, depth: number, member: (level: number) => string): string {
  const level = depth + 1;
  const last = container.children?.at(-1);
  const at = last === undefined ? container.offset + 1 : last.offset + last.length;
  const { indent, newline } = style(text);
  const before = last === undefined ? "" : `,${newline}${indent.repeat(level)}`;
  return `${text.slice(0, at)}${before}${member(level)}${text.slice(at)}`;
}

function nodeAt(text: string, path: SettingsPath): Node | undefined {
  let node: Node | undefined = rootOf(text);
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === "number") node = node.type === "array" ? node.children?.[step] : undefined;
    else node = node.type === "object" ? memberOf(text, node, step) : undefined;
  }
  return node;
}

function memberOf(text: string, object: Node, key: string): Node | undefined {
  const [first, second] = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (second !== undefined) throw twice(text, second, key);
  return first?.children?.[1];
}

/** Looks that no object in a value has a key twice. */
function checkOnce(text: string, node: Node): void {
  const keys = new Set<unknown>();
  for (const child of node.children ?? []) {
    if (node.type === "object") {
      const key: unknown = child.children?.[0]?.value;
      if (keys.has(key)) throw twice(text, child, String(key));
      keys.add(key);
    }
    checkOnce(text, child);
  }
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    const problem =
      error === undefined ? "there is nothing in it" : inWords(printParseErrorCode(error.error));
    throw unreadable(text, error?.offset ?? 0, problem);
  }
  return root;
}

/** `PropertyNameExpected` as people write it. */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
}

function twice(text: string, { offset }: Node, key: string): TenterhookError {
  return unreadable(text, offset, `${JSON.stringify(key)} is there for the second time`);
}

function unfit(text: string, { offset }: Node, path: SettingsPath, expected: string): TenterhookError {
  return unreadable(text, offset, `${path.join(".") || "the whole"} is not ${expected}`);
}

function unreadable(text: string, offset: number, problem: string): TenterhookError {
  return new TenterhookError("settings_unreadable", `Line ${lineAt(text, offset)}: ${problem}.`);
}

/** The line of a place in a text, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
