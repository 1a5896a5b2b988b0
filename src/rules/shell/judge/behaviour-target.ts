import { compileGlob } from "../../../core/match/glob.ts";
import { globsOverlap, withoutNamedClasses } from "../../../core/match/glob-overlap.ts";
import { expandBraces } from "../words/braces.ts";

const LONGEST_PATH = 4_096;

/**
 * A test for the target of a behaviour. A target may itself be a glob (`cat .e*`): it fits when some file it names
 * could fit, but only where its name has letters of its own, so that `src/*` is not taken for every file there is.
 */
export function compileTarget(pattern: string): (target: string) => boolean {
  const fits = compileGlob(pattern, { kind: "path" });
  let alternatives: readonly string[] | undefined;
  let needed: RegExp | undefined;
  return (found) => {
    // No system follows a longer path; only its end says what it is meant to be.
    const target = found.length > LONGEST_PATH ? found.slice(-LONGEST_PATH) : found;
    needed ??= neededText(pattern);
    if (needed.test(target) && fits(target)) return true;
    if (!/[*?[]/.test(target)) return false;
    const name = withoutNamedClasses(target.slice(target.lastIndexOf("/") + 1));
    if (!/[*?[]/.test(name) || !/[^*?[\].]/.test(name.replace(/\.\w+$/, ""))) return false;
    alternatives ??= withoutBraces(pattern).filter((alternative) => !/\*\*$|\[\*\]/.test(alternative));
    return alternatives.some((alternative) => mayName(target, name, alternative));
  };
}

/** Finds a text that each path has which the pattern fits: most paths have none, and are not compared letter by letter. */
function neededText(pattern: string): RegExp {
  const texts = withoutBraces(pattern).map((alternative) => {
    const [longest = ""] = alternative
      // A path may end before the slash of `a/**`, and begin after that of `**/a`.
      .replaceAll(/\/\*\*$|\*\*\/|\[[^\]]*\]/g, "*")
      .split(/[*?{}\\]+/)
      .sort((a, b) => b.length - a.length);
    return longest.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  });
  return new RegExp([...new Set(texts)].join("|"));
}

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kt|swift|cs|php|css|scss|html|md|sh)$/;

/** A shell's wildcard does not match a leading dot. */
function mayName(target: string, name: string, pattern: string): boolean {
  const wanted = pattern.slice(pattern.lastIndexOf("/") + 1);
  if (wanted.startsWith(".") !== name.startsWith(".")) return false;
  // A pattern that only rules endings out does not mean sources: `id*.ts` is no key.
  if (/\[![^\]]*\]$/.test(wanted) && SOURCE.test(name)) return false;
  const [longest = ""] = name.split(/[*?[\]]+/).sort((a, b) => b.length - a.length);
  if (/^[*?[]/.test(name) && !wanted.includes(longest)) return false;
  return globsOverlap(name, wanted, false) && globsOverlap(target, pattern, false);
}

const MOST = 1_000;

/** Every pattern that a pattern with braces stands for. */
export function withoutBraces(pattern: string): readonly string[] {
  let list: readonly string[] = [pattern];
  for (let round = 0; round < 8 && list.length < MOST; round += 1) {
    if (!list.some((item) => item.includes("{"))) break;
    list = list.flatMap(expandOutermost);
  }
  return list;
}

function expandOutermost(pattern: string): readonly string[] {
  const start = pattern.indexOf("{");
  if (start === -1) return [pattern];
  let depth = 0;
  for (let at = start; at < pattern.length; at += 1) {
    if (pattern[at] === "{") depth += 1;
    if (pattern[at] === "}") depth -= 1;
    if (depth > 0) continue;
    const choices = expandBraces(pattern.slice(start, at + 1)) ?? [pattern.slice(start + 1, at)];
    return choices.map((choice) => pattern.slice(0, start) + choice + pattern.slice(at + 1));
  }
  return [pattern];
}
