import { unescaped } from "./escapes.ts";

/** What `printf FORMAT ARGUMENTS…` prints; the format is used again while arguments are left. */
export function formatPrintf(words: readonly string[]): string | undefined {
  if (words[0] === "-v") return undefined;
  const rest = words[0] === "--" ? words.slice(1) : words;
  const format = rest[0] ?? "";
  const args = rest.slice(1);
  let printed = "";
  let used = 0;
  for (let round = 0; round === 0 || (used < args.length && round < 64); round += 1) {
    const before = used;
    printed += unescaped(format).replace(
      /%(?:%|[-+ #0]*(?:[1-9]\d*)?(?:\.\d+)?([a-zA-Z]))/g,
      (whole: string, kind?: string) => {
        if (kind === undefined) return "%";
        const arg = args[used] ?? "";
        used += 1;
        if (kind === "b") return unescaped(arg);
        if (kind === "c") return arg.slice(0, 1);
        return "sqd".includes(kind) ? arg : whole;
      },
    );
    if (used === before) break;
  }
  return printed;
}
