import { isKnown } from "./partly-known-text.ts";
import { replaceWithin } from "./text.ts";

/** What `sed 's/a/b/'` with plain text on both sides makes of the input; `undefined` for anything more. */
export function replaceWithSed(words: readonly string[], input: string): string | undefined {
  const scripts = words.filter((word) => word !== "-e" && word !== "-E" && word !== "-r");
  const script = scripts[0];
  if (scripts.length !== 1 || script === undefined || !isKnown(script)) return undefined;
  let text = input;
  for (const part of script.split(";")) {
    const separator = part[1] ?? "";
    const [command, from, to, flags] = part.split(separator);
    if (command !== "s" || from === undefined || from === "" || to === undefined) return undefined;
    if (/[\\.*[\]^$+?(){}|&]/.test(from + to) || !/^g?$/.test(flags ?? "")) return undefined;
    const changed = flags === "g" ? replaceWithin(text, from, to) : replaceFirsts(text, from, to);
    if (changed === undefined) return undefined;
    text = changed;
  }
  return text;
}

const LONGEST = 65_536;

/** Replaces the first occurrence in each line. */
function replaceFirsts(text: string, from: string, to: string): string | undefined {
  const lines = text.split("\n");
  if (text.length + lines.length * to.length > LONGEST) return undefined;
  return lines.map((line) => line.replace(from, () => to)).join("\n");
}
