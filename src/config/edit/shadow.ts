import { extname } from "node:path";
import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import { TenterhookError } from "../../core/base/errors.ts";
import { editList } from "./edit-list.ts";

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
 * The text of a configuration file in which a hook or pack is no longer in shadow mode, nor any rule of the hook.
 * Everything else stays as it is written.
 *
 * @throws TenterhookError `write_failed` where only a person can change it.
 */
export function withoutShadow(file: string, text: string, name: string): string {
  if (!/\.ya?ml$/i.test(file)) throw byHand(file, name);
  const hooks = parseDocument(text).get("hooks");
  if (!isMap(hooks)) throw byHand(file, name);
  const item = itemsOf(hooks.get("use")).find((one) => isMap(one) && one.get("pack") === name);
  if (item?.range) return text.slice(0, item.range[0]) + name + text.slice(item.range[1]);
  const hook = itemsOf(hooks.get("definitions")).find((one) => isMap(one) && one.get("name") === name);
  if (!isMap(hook)) throw byHand(file, name);
  const edits = [hook, ...itemsOf(hook.get("inline_rules"))].flatMap((map) => modeOf(text, map));
  const changed = [...edits, ...shadowsIn(text, hook.get("rules", true))]
    .sort((one, other) => other.start - one.start)
    .reduce((now, { start, end }) => now.slice(0, start) + now.slice(end), text);
  if (changed === text) throw byHand(file, name);
  return changed;
}

function itemsOf(list: unknown): readonly Node[] {
  return isSeq(list) ? list.items.filter((item) => isMap(item) || isScalar(item)) : [];
}

/** A part of a text that goes. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Each `shadow` in the text of rules. */
function shadowsIn(text: string, rules: unknown): readonly Part[] {
  if (!isScalar(rules) || !rules.range) return [];
  const [from, to] = rules.range;
  return [...text.slice(from, to).matchAll(/(?<=->\s*)shadow\s+(?=\w+\()/g)].map(
    ({ index, 0: { length } }) => ({
      start: from + index,
      end: from + index + length,
    }),
  );
}

/** `mode: shadow` of a hook or a rule: its line, or in a line with others the key and what parts it from the next or the last. */
function modeOf(text: string, map: Node): readonly Part[] {
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

function byHand(file: string, name: string): TenterhookError {
  return new TenterhookError("write_failed", `${file} can't be changed here.`, {
    hint: `Edit the file by hand: take mode: shadow from ${JSON.stringify(name)}, or from hooks if the whole file is in shadow mode.`,
  });
}
