import { unescaped } from "./escapes.ts";
import { isKnown } from "./partly-known-text.ts";

const CLASSES: Readonly<Record<string, string>> = {
  "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
  "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "[:digit:]": "0123456789",
  "[:space:]": " \t\n\r\v\f",
};

/** What `tr` makes of the input; `undefined` for the rarer options. */
export function translate(words: readonly string[], input: string): string | undefined {
  if (!words.every(isKnown)) return undefined;
  const sets = words.filter((word) => !/^-[a-zA-Z]+$/.test(word)).map(characters);
  const options = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join("");
  const [from, to] = sets;
  if (from === undefined || /[cCts]/.test(options)) return undefined;
  if (options.includes("d")) {
    const deleted = new Set(from);
    return [...input].filter((char) => !deleted.has(char)).join("");
  }
  const last = to?.at(-1);
  if (to === undefined || last === undefined) return undefined;
  const table = new Map(from.map((char, index) => [char, to[index] ?? last]));
  return [...input].map((char) => table.get(char) ?? char).join("");
}

function characters(set: string): readonly string[] {
  const named = Object.hasOwn(CLASSES, set) ? CLASSES[set] : undefined;
  const source = [...(named ?? unescaped(set))];
  const list: string[] = [];
  for (let at = 0; at < source.length; at += 1) {
    const from = source[at]?.codePointAt(0) ?? 0;
    const to = source[at + 2]?.codePointAt(0);
    if (source[at + 1] === "-" && to !== undefined && to >= from && to - from < 256) {
      for (let code = from; code <= to; code += 1) list.push(String.fromCodePoint(code));
      at += 2;
    } else {
      list.push(String.fromCodePoint(from));
    }
  }
  return list;
}
