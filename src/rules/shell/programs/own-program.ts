import { compileGlob } from "../../../core/match/glob.ts";
import { type Frame, type Stream, writtenFile } from "../interpret/frame.ts";
import { joinPath, tidyPath } from "../words/paths.ts";
import { baseName, shown } from "../words/text.ts";
import { isOwnProgram } from "./program-name.ts";
import type { Program } from "./programs.ts";

/** How another program runs ours. */
export interface OwnCall {
  readonly given: readonly string[];
  /** The words before our program. */
  readonly before: readonly string[];
}

/** Our program when another one runs its file: a shell, an interpreter, or a program of which nothing is known. */
export function ownCall(
  { is, code, isKnown }: Program,
  words: readonly string[],
  frame: Frame,
): OwnCall | undefined {
  const { scope, stdin, walk } = frame;
  const runsFiles =
    !isKnown ||
    code !== undefined ||
    is.has("shell") ||
    is.has("interpreter") ||
    is.has("runsFiles") ||
    scope.tables.variables.has("ELECTRON_RUN_AS_NODE");
  if (!runsFiles) return undefined;
  const isCopy = (stream: Stream | undefined): boolean =>
    [stream?.file ?? "", ...(stream?.from ?? []).flatMap(({ reads }) => reads)].some(isOwnProgram);
  const isOurs = (word: string): boolean =>
    isOwnProgram(tidyPath(joinPath(scope.folder, shown(word)))) ||
    isOwnProgram(shown(scope.tables.aliases.get(baseName(shown(word))) ?? "")) ||
    isCopy(walk.substitutions.get(shown(word)) ?? writtenFile(word, frame));
  const at = words.findIndex((word) => !word.startsWith("-") && (isOurs(word) || mayName(baseName(word))));
  if (at !== -1) {
    const given = words.slice(at + 1);
    // Without words of its own, `source` leaves the script those of the shell.
    const whole = given.length === 0 && is.has("runsFiles") ? (scope.positional ?? given) : given;
    return { given: whole, before: words.slice(0, at) };
  }
  return isCopy(stdin) ? { given: words.filter((word) => !word.startsWith("-")), before: words } : undefined;
}

/** True for a wildcard with letters of our program's name. */
function mayName(word: string): boolean {
  return /[*?[]/.test(word) && /[a-z]{2}/i.test(word) && compileGlob(word, { kind: "text" })("tenterhook");
}
