import { withoutTrailing } from "../words/text.ts";

/** More paths than this are told as everything below the starting points: their number is that of both, multiplied. */
const MOST_PATHS = 1_024;

/** The paths `find` would come across, as globs: its starting points with the names it is asked for. */
export function foundBy(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = end === -1 ? words : words.slice(0, end);
  const starts = roots.length === 0 ? ["."] : roots;
  const patterns = namesAskedFor(words).map((name) => {
    if (!name.includes("/")) return `**/${name}`;
    return name.replace(/^(?:\.\/)?\*+\//, "**/");
  });
  if (patterns.length === 0 || patterns.length * starts.length > MOST_PATHS)
    patterns.splice(0, patterns.length, "**");
  const paths: string[] = [];
  for (const start of starts) {
    const root = withoutTrailing(start, "/");
    for (const pattern of patterns) paths.push(/^[/~]/.test(pattern) ? pattern : `${root}/${pattern}`);
  }
  return paths;
}

function namesAskedFor(words: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const [index, word] of words.entries()) {
    const asked = /^-i?(?:name|path|wholename)$/.test(word) && !/^(?:!|-not)$/.test(words[index - 1] ?? "");
    if (asked) names.push(words[index + 1] ?? "*");
  }
  return names;
}
