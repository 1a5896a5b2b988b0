import { extname } from "node:path";
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap } from "yaml";
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
  const bare = rulesInForce(text, hook);
  const mode = hook.items.find(({ key }) => isScalar(key) && key.value === "mode");
  const changed =
    isScalar(mode?.value) && mode.value.value === "shadow" ? withoutPair(bare, hook, "mode") : bare;
  if (changed === text) throw byHand(file, name);
  return changed;
}

function itemsOf(list: unknown): readonly Node[] {
  return isSeq(list) ? list.items.filter((item) => isMap(item) || isScalar(item)) : [];
}

/** Takes `shadow` out of the rules of a hook. */
function rulesInForce(text: string, hook: YAMLMap): string {
  const rules = hook.get("rules", true);
  if (!isScalar(rules) || !rules.range) return text;
  const [start, end] = rules.range;
  const written = text.slice(start, end).replaceAll(/->(\s*)shadow\s+(?=\w+\()/g, "->$1");
  return text.slice(0, start) + written + text.slice(end);
}

/** Removes a key of a hook: its line, or in braces the key and its comma. */
function withoutPair(text: string, hook: YAMLMap, name: string): string {
  const wanted = hook.flow === true ? FLOW : BLOCK;
  const [start, end] = [hook.range?.[0] ?? 0, (hook.range?.[1] ?? text.length) + 1];
  const part = text.slice(start, end);
  return text.slice(0, start) + part.replace(wanted(name), "") + text.slice(end);
}

const BLOCK = (name: string): RegExp => new RegExp(`^[ \\t]*${name}:[ \\t]*["']?shadow["']?[^\\n]*\\n`, "m");
const FLOW = (name: string): RegExp => new RegExp(`,?\\s*${name}:\\s*["']?shadow["']?`);

function byHand(file: string, name: string): TenterhookError {
  return new TenterhookError("write_failed", `${file} can't be changed here.`, {
    hint: `Edit the file by hand: take mode: shadow from ${JSON.stringify(name)}, or from hooks if the whole file is in shadow mode.`,
  });
}
