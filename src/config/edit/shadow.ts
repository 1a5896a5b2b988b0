import { extname } from "node:path";
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap } from "yaml";
import { TenterhookError } from "../../core/base/errors.ts";
import { editList } from "./edit-list.ts";
import { columnOf, type Span, splice } from "./flow-list.ts";

/** A name that no pack has, until the item is written. */
const STAND_IN = "tenterhook-shadow-stand-in";

/** How an item of `use` in shadow mode is written, by the format of the file. */
const WRITTEN: Readonly<Record<string, (pack: string) => string>> = {
  ".toml": (pack) => `{ pack = ${JSON.stringify(pack)}, mode = "shadow" }`,
  ".json": (pack) => `{ "pack": ${JSON.stringify(pack)}, "mode": "shadow" }`,
  ".jsonc": (pack) => `{ "pack": ${JSON.stringify(pack)}, "mode": "shadow" }`,
};

/** The text of a configuration file that uses a pack in shadow mode in addition. */
export function useInShadow(file: string, text: string, pack: string): string {
  const item = (WRITTEN[extname(file).toLowerCase()] ?? ((name) => `{ pack: ${name}, mode: shadow }`))(pack);
  const added = editList(file, text, "use", STAND_IN, true);
  return added.replace(new RegExp(`"?${STAND_IN}"?`), () => item);
}

/**
 * The text of a configuration file in which a hook or pack is in shadow mode. Everything else stays as it is written.
 *
 * @throws TenterhookError `write_failed` where only a person can change it.
 */
export function intoShadow(file: string, text: string, name: string): string {
  const hooks = hooksOf(file, text, name, "add");
  const item = itemsOf(hooks.get("use")).find((one) => isScalar(one) && one.value === name);
  if (item?.range) return splice(text, spanOf(item.range), `{ pack: ${name}, mode: shadow }`);
  const hook = itemsOf(hooks.get("definitions")).find((one) => isMap(one) && one.get("name") === name);
  if (!isMap(hook)) throw byHand(file, name, "add");
  const pair = (wanted: string) => hook.items.find(({ key }) => isScalar(key) && key.value === wanted);
  const mode = pair("mode")?.value;
  if (isScalar(mode) && mode.range) return splice(text, spanOf(mode.range), "shadow");
  const { key, value } = pair("name") ?? {};
  if (!isScalar(key) || !key.range || !isScalar(value) || !value.range) throw byHand(file, name, "add");
  const indent = " ".repeat(columnOf(text, key.range[0]));
  const [, end] = value.range;
  return splice(text, { start: end, end }, hook.flow === true ? ", mode: shadow" : `\n${indent}mode: shadow`);
}

/**
 * The text of a configuration file in which a hook or pack is no longer in shadow mode, nor any rule of the hook.
 * Everything else stays as it is written.
 *
 * @throws TenterhookError `write_failed` where only a person can change it.
 */
export function withoutShadow(file: string, text: string, name: string): string {
  const hooks = hooksOf(file, text, name, "remove");
  const item = itemsOf(hooks.get("use")).find((one) => isMap(one) && one.get("pack") === name);
  if (item?.range) return splice(text, spanOf(item.range), name);
  const hook = itemsOf(hooks.get("definitions")).find((one) => isMap(one) && one.get("name") === name);
  if (!isMap(hook)) throw byHand(file, name, "remove");
  const edits = [hook, ...itemsOf(hook.get("inline_rules"))].flatMap((map) => modeOf(text, map));
  const changed = [...edits, ...shadowsIn(text, hook.get("rules", true))]
    .sort((one, other) => other.start - one.start)
    .reduce((now, part) => splice(now, part, ""), text);
  if (changed === text) throw byHand(file, name, "remove");
  return changed;
}

/** @throws TenterhookError `write_failed` for a file that is not of YAML, or has no hooks. */
function hooksOf(file: string, text: string, name: string, change: Change): YAMLMap {
  const hooks = /\.ya?ml$/i.test(file) ? parseDocument(text).get("hooks") : undefined;
  if (isMap(hooks)) return hooks;
  throw byHand(file, name, change);
}

function itemsOf(list: unknown): readonly Node[] {
  return isSeq(list) ? list.items.filter((item) => isMap(item) || isScalar(item)) : [];
}

function spanOf([start, end]: readonly [number, number, ...unknown[]]): Span {
  return { start, end };
}

function shadowsIn(text: string, rules: unknown): readonly Span[] {
  if (!isScalar(rules) || !rules.range) return [];
  const [from, to] = rules.range;
  return [...text.slice(from, to).matchAll(/(?<=->\s*)shadow\s+(?=\w+\()/g)].map(
    ({ index, 0: { length } }) => ({ start: from + index, end: from + index + length }),
  );
}

/** `mode: shadow` of a hook or a rule: its line, or in a line with others the key and what parts it from the next or the last. */
function modeOf(text: string, map: Node): readonly Span[] {
  if (!isMap(map)) return [];
  const at = map.items.findIndex(({ key }) => isScalar(key) && key.value === "mode");
  const { key, value } = map.items[at] ?? {};
  if (!isScalar(key) || !isScalar(value) || value.value !== "shadow" || !key.range || !value.range) return [];
  const [start, end] = [key.range[0], value.range[1]];
  const line = text.lastIndexOf("\n", start - 1) + 1;
  if (map.flow !== true && text.slice(line, start).trim() === "") {
    const lineEnd = text.indexOf("\n", end);
    return [{ start: line, end: lineEnd === -1 ? text.length : lineEnd + 1 }];
  }
  const next = map.items[at + 1]?.key;
  if (isScalar(next) && next.range) return [{ start, end: next.range[0] }];
  return [{ start: text.lastIndexOf(",", start), end }];
}

type Change = "add" | "remove";

function byHand(file: string, name: string, change: Change): TenterhookError {
  const hook = JSON.stringify(name);
  return new TenterhookError("write_failed", `${file} can't be changed here.`, {
    hint: `Edit the file by hand: ${
      change === "add"
        ? `write mode: shadow at ${hook}`
        : `take mode: shadow from ${hook}, or from hooks if the whole file is in shadow mode`
    }.`,
  });
}
