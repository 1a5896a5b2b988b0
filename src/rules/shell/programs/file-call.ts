import { compileGlob } from "../../../core/match/glob.ts";
import { type Frame, type Stream, writtenFile } from "../state/frame.ts";
import { joinPath, tidyPath } from "../words/paths.ts";
import { baseName, shown } from "../words/text.ts";
import { isOwnProgram, OWN_PROGRAM, programOfFile } from "./program-name.ts";
import { type Program, programOf } from "./programs.ts";

/** A program whose file another one runs. */
export interface FileCall {
  readonly words: readonly string[];
  /** The words of the other program before it. */
  readonly before: readonly string[];
}

/**
 * The program whose file a shell, an interpreter, or a program of which nothing is known is given to run: ours wherever its
 * words have it, another one that is known where the file belongs.
 */
export function fileCall(
  { is, code, isKnown }: Program,
  words: readonly string[],
  frame: Frame,
): FileCall | undefined {
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
    isCopy(walk.substitutions.get(shown(word)) ?? writtenFile(word, frame)) ||
    mayName(baseName(word));
  const call = (name: string, at: number): FileCall => {
    const given = words.slice(at + 1);
    // Without words of its own, `source` leaves the script those of the shell.
    const own = given.length === 0 && is.has("runsFiles") ? (scope.positional ?? given) : given;
    return { words: [name, ...own], before: words.slice(0, at) };
  };
  const at = words.findIndex((word) => !word.startsWith("-") && isOurs(word));
  if (at !== -1) return call(OWN_PROGRAM, at);
  const first = words.findIndex((word) => !word.startsWith("-"));
  const name = first === -1 ? undefined : programOfFile(joinPath(scope.folder, shown(words[first] ?? "")));
  if (name !== undefined && programOf(name).isKnown) return call(name, first);
  return isCopy(stdin)
    ? { words: [OWN_PROGRAM, ...words.filter((word) => !word.startsWith("-"))], before: words }
    : undefined;
}

/** True for a wildcard with letters of our program's name. */
function mayName(word: string): boolean {
  return WILDCARD.test(word) && /[a-z]{2}/i.test(word) && compileGlob(word, { kind: "text" })(OWN_PROGRAM);
}

const WILDCARD = /^(?=.*[*?[])(?:[\w.*?-]|\[[\w-]+\])+$/;
