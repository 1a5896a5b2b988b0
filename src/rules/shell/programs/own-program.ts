import type { Frame } from "../interpret/frame.ts";
import { joinPath, tidyPath } from "../words/paths.ts";
import { baseName, shown } from "../words/text.ts";
import { isOwnProgram } from "./program-name.ts";
import type { Program } from "./programs.ts";

/**
 * What our program is given when another one runs its file: a shell, an interpreter, or a program of which nothing is known.
 * `undefined` when it does not run.
 */
export function ownArguments(
  { is, code, isKnown }: Program,
  words: readonly string[],
  { scope, stdin }: Frame,
): readonly string[] | undefined {
  const runsFiles =
    !isKnown || code !== undefined || is.has("shell") || is.has("interpreter") || is.has("runsFiles");
  if (!runsFiles) return undefined;
  const isOurs = (word: string): boolean =>
    isOwnProgram(tidyPath(joinPath(scope.folder, shown(word)))) ||
    isOwnProgram(shown(scope.tables.aliases.get(baseName(shown(word))) ?? ""));
  const at = words.findIndex((word) => !word.startsWith("-") && isOurs(word));
  if (at !== -1) return words.slice(at + 1);
  const fed = [stdin.file ?? "", ...stdin.from.flatMap(({ reads }) => reads)].some(isOwnProgram);
  return fed ? words.filter((word) => !word.startsWith("-")) : undefined;
}
