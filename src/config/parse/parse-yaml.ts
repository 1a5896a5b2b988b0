import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap } from "yaml";
import {
  duplicateKey,
  FORBIDDEN_KEY,
  forbiddenKey,
  type Located,
  NOT_FINITE,
  type ParsedFile,
  positionsIn,
  syntaxError,
  tooDeepError,
} from "./located.ts";
import { DEEPEST, tooDeepInYaml } from "./nesting.ts";
import type { Position } from "./problem.ts";

const MOST_ALIASED_VALUES = 10_000;

interface Reading {
  readonly file: string;
  readonly at: (offset: number) => Position;
  readonly resolve: (node: Node) => Node | undefined;
  aliased: number;
}

type Read = readonly [value: unknown, located: Omit<Located, "key">];

/**
 * Reads YAML 1.2 with the core schema: `no` and `off` are texts, tags and merge keys are not known, aliases are.
 *
 * @throws ConfigError `config_syntax` at the first thing that can't be read.
 */
export function parseYaml(file: string, text: string): ParsedFile {
  const at = positionsIn(text);
  const tooDeep = tooDeepInYaml(text);
  if (tooDeep !== undefined) throw tooDeepError(file, at(tooDeep));
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    resolveKnownTags: false,
    strict: true,
    uniqueKeys: false,
    prettyErrors: false,
    // With "silent" a second document would be left out without a word.
    logLevel: "error",
  });
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) throw syntaxError(file, at(wrong.pos[0]), reasonOf(wrong));
  const reading: Reading = {
    file,
    at,
    aliased: 0,
    resolve: (node) => (isAlias(node) ? node.resolve(document) : node),
  };
  const [value, located] = readNode(document.contents, { line: 1, column: 1 }, reading, [], false);
  return { file, value, located: { key: located.value, ...located } };
}

function reasonOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === "TAG_RESOLVE_FAILED")
    return `${message}. Tags are not supported; write the value without one.`;
  if (code === "MULTIPLE_DOCS")
    return "The file holds several documents. Keep one; remove the line with ---.";
  return message;
}

function readNode(
  node: Node | null | undefined,
  parent: Position,
  reading: Reading,
  around: readonly Node[],
  isAliased: boolean,
): Read {
  const position = node?.range ? reading.at(node.range[0]) : parent;
  const fail = (reason: string) => syntaxError(reading.file, position, reason);
  if (isAliased) reading.aliased += 1;
  if (reading.aliased > MOST_ALIASED_VALUES)
    throw fail(`Aliases expand to more than ${MOST_ALIASED_VALUES} values. Use fewer of them.`);
  if (around.length > DEEPEST) throw tooDeepError(reading.file, position);
  if (node === null || node === undefined) return [null, { value: position, inside: new Map() }];
  if (isAlias(node)) {
    const target = reading.resolve(node);
    if (target === undefined) throw fail(`There is no anchor &${node.source} before this alias.`);
    if (around.includes(target)) throw fail(`The alias *${node.source} is inside its own anchor.`);
    const [value, located] = readNode(target, position, reading, around, true);
    return [value, { ...located, value: position }];
  }
  const within = [...around, node];
  if (isMap(node)) return readMap(node, position, reading, within, isAliased);
  if (isSeq(node)) {
    const inside = new Map<number, Located>();
    const values = node.items.map((item, index) => {
      const [value, located] = readNode(asNode(item), position, reading, within, isAliased);
      inside.set(index, { key: located.value, ...located });
      return value;
    });
    return [values, { value: position, inside }];
  }
  if (!isScalar(node)) throw fail("This can't be read.");
  if (typeof node.value === "bigint") throw fail("This number is too large.");
  if (typeof node.value === "number" && !Number.isFinite(node.value)) throw fail(NOT_FINITE);
  return [node.value, { value: position, inside: new Map() }];
}

function readMap(
  map: YAMLMap,
  position: Position,
  reading: Reading,
  within: readonly Node[],
  isAliased: boolean,
): Read {
  const inside = new Map<string, Located>();
  const values: Record<string, unknown> = {};
  for (const pair of map.items) {
    const keyNode = asNode(pair.key);
    const key = keyNode?.range ? reading.at(keyNode.range[0]) : position;
    const name = isScalar(keyNode) ? keyNode.value : undefined;
    if (!["string", "number", "boolean"].includes(typeof name))
      throw syntaxError(reading.file, key, "A key must be a string.");
    const text = isScalar(keyNode) ? (keyNode.source ?? String(name)) : String(name);
    if (text === FORBIDDEN_KEY) throw forbiddenKey(reading.file, key);
    const first = inside.get(text);
    if (first !== undefined) throw duplicateKey(reading.file, text, key, first.key);
    const [value, located] = readNode(asNode(pair.value), key, reading, within, isAliased);
    values[text] = value;
    inside.set(text, { key, ...located });
  }
  return [values, { value: position, inside }];
}

function asNode(value: unknown): Node | undefined {
  return isAlias(value) || isMap(value) || isSeq(value) || isScalar(value) ? value : undefined;
}
