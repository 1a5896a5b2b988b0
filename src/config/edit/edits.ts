import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { parseText } from "../parse/parse.ts";
import { offEntry } from "../schema/off-entry.ts";
import { type EditPath, setIn } from "./set-in.ts";

/* What our commands change in a configuration file; `set-in.ts` says what stays and what is thrown. */

export type WrittenDefinition = Readonly<Record<string, unknown>>;

/** The lists of names in `hooks`. */
export type ListKey = "disabled" | "use";

export function addDefinitions(
  file: string,
  text: string,
  definitions: readonly WrittenDefinition[],
): string {
  return definitions.reduce<string>((now, one) => setIn(file, now, ["hooks", "definitions", -1], one), text);
}

/**
 * The text with a name put on, or taken off, a list of `hooks`; unchanged when it says so already.
 *
 * @param entry what stands for the name there.
 */
export function editList(
  file: string,
  text: string,
  key: ListKey,
  name: string,
  listed: boolean,
  entry = name,
): string {
  const names = namesIn(file, text, key);
  if (names.includes(name) === listed) return text;
  const isThere = Array.isArray(valueIn(parseText(file, text).value, ["hooks", key]));
  if (listed) return setIn(file, text, ["hooks", key, ...(isThere ? [-1] : [])], isThere ? entry : [entry]);
  const without = setIn(file, text, ["hooks", key, names.lastIndexOf(name)], undefined);
  return editList(file, without, key, name, false);
}

export function namesIn(file: string, text: string, key: ListKey): readonly string[] {
  return listIn(file, text, key).map((item) =>
    isRecord(item) && item.pack !== undefined ? String(item.pack) : offEntry(String(item)).name,
  );
}

/** The text that uses a pack in shadow mode in addition. */
export function useInShadow(file: string, text: string, pack: string): string {
  return setIn(file, text, ["hooks", "use", -1], { pack, mode: "shadow" });
}

/** The text in which a hook or pack is in shadow mode. */
export function intoShadow(file: string, text: string, name: string): string {
  const { path, item } = named(file, text, name, "add");
  return path[1] === "use"
    ? setIn(file, text, path, { pack: item, mode: "shadow" })
    : setIn(file, text, [...path, "mode"], "shadow");
}

/** The text in which a hook or pack is no longer in shadow mode, nor any rule of the hook. */
export function withoutShadow(file: string, text: string, name: string): string {
  const { path, item } = named(file, text, name, "remove");
  if (path[1] === "use") return setIn(file, text, path, name);
  const { rules, inline_rules: list } = isRecord(item) ? item : {};
  const maps = [path, ...(Array.isArray(list) ? list.map((_, at) => [...path, "inline_rules", at]) : [])];
  let after = maps.reduce((now, at) => withoutMode(file, now, at), text);
  const enforced = typeof rules === "string" ? rules.replaceAll(/(?<=->\s*)shadow\s+(?=\w+\()/g, "") : rules;
  if (enforced !== rules) after = setIn(file, after, [...path, "rules"], enforced);
  if (after === text) throw byHand(file, name, "remove");
  return after;
}

function withoutMode(file: string, text: string, path: EditPath): string {
  const at = valueIn(parseText(file, text).value, path);
  return isRecord(at) && at.mode === "shadow" ? setIn(file, text, [...path, "mode"], undefined) : text;
}

/** Where a pack is used or a hook is defined, and what stands there. */
function named(file: string, text: string, name: string, change: Change) {
  for (const [key, isIt] of [
    ["use", (item: unknown) => (change === "add" ? item === name : isRecord(item) && item.pack === name)],
    ["definitions", (item: unknown) => isRecord(item) && item.name === name],
  ] as const) {
    const list = listIn(file, text, key);
    const at = list.findIndex(isIt);
    if (at !== -1) return { path: ["hooks", key, at] as const, item: list[at] };
  }
  throw byHand(file, name, change);
}

function listIn(file: string, text: string, key: string): readonly unknown[] {
  const list = valueIn(parseText(file, text).value, ["hooks", key]);
  return Array.isArray(list) ? list : [];
}

function valueIn(value: unknown, path: EditPath): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
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
