import type { ConfigDefinition } from "../../../config/config.ts";
import { isRecord } from "../../../core/base/json.ts";
import { foldCase } from "../../../core/base/text.ts";
import { builtin } from "../../../node/builtin.ts";
import { isShellField } from "../../../rules/fields/shell-text.ts";

/** One command of plain words: no quotes, expansions, patterns, redirections or operators. */
const PLAIN = /^[\w./:=@%+,-]+(?: +[\w./:=@%+,-]+)*$/;
const LONGEST = 2_000;

/** What of an event is looked at. */
interface ShellEvent {
  readonly cwd: string;
  readonly tool_input?: unknown;
}

/**
 * True when a hook certainly has nothing to say about a call: its rules can hold only for a shell line with one of
 * certain names, and this is a plain line without them. Cheaper than the shell analysis by ten milliseconds. A path
 * through a link, or one that ends in dots, may mean such a name and counts as one.
 */
export function saysNothing({ names }: ConfigDefinition, { cwd, tool_input: input }: ShellEvent): boolean {
  if (names === undefined || !isRecord(input)) return false;
  const [line, ...others] = Object.entries(input).flatMap(([key, value]) =>
    isShellField(key) ? [value] : [],
  );
  if (typeof line !== "string" || others.length > 0) return false;
  const namesNothing = ([key, value]: readonly [string, unknown]): boolean =>
    isShellField(key) ||
    key === "description" ||
    typeof value === "number" ||
    typeof value === "boolean" ||
    value === "" ||
    value === cwd;
  if (!Object.entries(input).every(namesNothing)) return false;
  if (line.length > LONGEST || !PLAIN.test(line)) return false;
  const isNamed = (path: string): boolean => namesOne(path, names.words);
  if (namesOne(cwd, names.folders)) return false;
  const words = line.split(/[ =:,@]+/).flatMap(readings);
  if (words.some((word) => isNamed(word) || ENDS_ELSEWHERE.test(word))) return false;
  const folder = realPath(cwd);
  return folder !== undefined && !words.some((word) => isLinked(word, folder));
}

/** True when a part of the path is one of these names, which are folded: many file systems find files in any case. */
function namesOne(path: string, names: readonly string[]): boolean {
  return foldCase(path)
    .split("/")
    .some((segment) => names.includes(segment));
}

/** A word, and what may be the value of a short option in it: `-xC.claude` ends in a folder. */
function readings(word: string): readonly string[] {
  const values = /^-\w/.test(word) ? Array.from(word.slice(2), (_, at) => word.slice(at + 2)) : [];
  return [word, ...values].filter((reading) => reading !== "");
}

/** The path of a folder itself or above itself. */
const ENDS_ELSEWHERE = /(?:^|\/)\.{1,2}(?:\/|$)|^\/+$/;

/** True when the file system sees another path than the one that is written. */
function isLinked(word: string, folder: string): boolean {
  const { resolve, dirname } = builtin.path;
  const path = resolve(folder, word);
  // What does not exist is a name in the folder above it.
  const existing = builtin.fs.existsSync(path) ? path : dirname(path);
  if (existing === folder) return false;
  const real = realPath(existing);
  return real !== undefined && real !== existing;
}

function realPath(path: string): string | undefined {
  try {
    return builtin.fs.realpathSync.native(path);
  } catch {
    return undefined;
  }
}
