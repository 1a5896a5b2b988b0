import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { TenterhookError } from "../core/errors.ts";

/*
 * Settings of other programs, edited in place. Everything that is not ours stays to the byte, comments included, and
 * taking out what was put in gives the old bytes back. For that an insertion always comes right behind the member
 * before it, and a list or object that we had to make is told from one that was there empty: only in ours the first
 * member stands on a line of its own.
 */

/** A settings file as text; `undefined` when there is none. */
export type SettingsText = string | undefined;

/** Where a value stands: keys from the top. */
export type SettingsPath = readonly string[];

/**
 * Adds a value at the end of a list, making the list and the objects around it where they are missing.
 *
 * @throws TenterhookError `settings_unreadable` when the text can't be parsed, or something else stands on the way.
 */
export function addToList(text: SettingsText, path: SettingsPath, value: unknown): string {
  if (text === undefined) return `${rendered(nested(path, [value]), style(""), 0)}\n`;
  if (text.trim() === "") return `${text}${rendered(nested(path, [value]), style(text), 0)}`;
  let node = rootOf(text);
  for (const [depth, key] of path.entries()) {
    if (node.type !== "object") throw unfit(text, node, path.slice(0, depth), "an object");
    const next = findNodeAtLocation(node, [key]);
    if (next === undefined) {
      const rest = nested(path.slice(depth + 1), [value]);
      return insert(
        text,
        node,
        depth,
        (level) => `${JSON.stringify(key)}: ${rendered(rest, style(text), level)}`,
      );
    }
    node = next;
  }
  if (node.type !== "array") throw unfit(text, node, path, "a list");
  return insert(text, node, path.length, (level) => rendered(value, style(text), level));
}

/**
 * Takes out the items of the lists below a path that are ours, and the lists and objects that were made for them.
 *
 * @throws TenterhookError `settings_unreadable` when the text can't be parsed.
 */
export function removeFromLists(
  text: SettingsText,
  path: SettingsPath,
  isOurs: (value: unknown) => boolean,
): SettingsText {
  let left = text;
  while (left !== undefined && left.trim() !== "") {
    const found = ourItem(rootOf(left), path, isOurs);
    if (found === undefined) return left;
    left = cut(left, found);
  }
  return left;
}

/** The value at a path, without comments. */
export function valueAt(text: SettingsText, path: SettingsPath): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  const node = findNodeAtLocation(rootOf(text), [...path]);
  return node === undefined ? undefined : getNodeValue(node);
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

function nested(path: SettingsPath, value: unknown): unknown {
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

/** The last item of ours, so that those before it stay where they are. */
function ourItem(root: Node, path: SettingsPath, isOurs: (value: unknown) => boolean): Node | undefined {
  const lists = findNodeAtLocation(root, [...path])?.children?.map(({ children }) => children?.[1]) ?? [];
  return lists
    .flatMap((list) => (list?.type === "array" ? (list.children ?? []) : []))
    .filter((item) => isOurs(getNodeValue(item)))
    .at(-1);
}

/** Removes a member, and what was made to hold it. */
function cut(text: string, member: Node): SettingsText {
  const container = member.parent;
  if (container === undefined) return text.trimEnd() === text ? text.slice(0, member.offset) : undefined;
  // A property is a pair: what is cut is the whole of it.
  if (container.type === "property") return cut(text, container);
  const siblings = container.children ?? [];
  const at = siblings.indexOf(member);
  const previous = siblings[at - 1];
  const alone = siblings.length === 1;
  if (alone && /\s/.test(text[container.offset + 1] ?? "")) return cut(text, container);
  const start = previous === undefined ? container.offset + 1 : previous.offset + previous.length;
  const end = member.offset + member.length;
  // The first of several goes together with the comma behind it.
  const next = previous === undefined ? siblings[at + 1] : undefined;
  return `${text.slice(0, start)}${text.slice(next === undefined ? end : next.offset)}`;
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    const problem = error === undefined ? "there is nothing in it" : printParseErrorCode(error.error);
    throw new TenterhookError("settings_unreadable", `Line ${lineAt(text, error?.offset ?? 0)}: ${problem}.`);
  }
  return root;
}

function unfit(text: string, { offset }: Node, path: SettingsPath, expected: string): TenterhookError {
  return new TenterhookError(
    "settings_unreadable",
    `Line ${lineAt(text, offset)}: ${path.join(".") || "the whole"} is not ${expected}.`,
  );
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
