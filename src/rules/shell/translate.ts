import { unescaped } from "./escapes.ts";
import { isKnown } from "./marked.ts";

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
  if (options.includes("d")) return [...input].filter((char) => !from.includes(char)).join("");
  if (to === undefined || to.length === 0) return undefined;
  return [...input].map((char) => replaced(char, from, to)).join("");
}

function replaced(char: string, from: readonly string[], to: readonly string[]): string {
  const at = from.lastIndexOf(char);
  return at === -1 ? char : (to[Math.min(at, to.length - 1)] ?? char);
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
