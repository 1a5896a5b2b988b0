import { isKnown } from "./marked.ts";

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
    text = text
      .split("\n")
      .map((line) => (flags === "g" ? line.replaceAll(from, () => to) : line.replace(from, () => to)))
      .join("\n");
  }
  return text;
}
