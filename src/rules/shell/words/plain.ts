import { mayHideCommand, unwrap } from "../programs/inner-commands.ts";
import { programOf } from "../programs/programs.ts";

const PLAIN = /^[A-Za-z0-9_./@%+:-][A-Za-z0-9_./@%+:,~-]*(?: +[A-Za-z0-9_./@%+:,~=-]+)*$/;
/** Most lines have one of these early on; the other expression would first try all the ways to go on without it. */
const NOT_PLAIN = /[^A-Za-z0-9_./@%+:,~= -]/;
const LONGEST = 2_000;

/** Words that begin something only the parser understands. */
const KEYWORDS = new Set(
  "if then else elif fi for while until do done case esac in function select coproc".split(" "),
);

/**
 * True for one command of plain words: no quotes, expansions, operators or redirections, and no program that runs
 * another. Such a line means what it says, and {@link analyseShell} reads it without the parser, with the same result.
 */
export function isPlainShell(text: string): boolean {
  return plainWords(text) !== undefined;
}

/** The words of a line for which {@link isPlainShell} holds; `undefined` for any other. */
export function plainWords(text: string): readonly string[] | undefined {
  if (text.length > LONGEST || NOT_PLAIN.test(text) || !PLAIN.test(text)) return undefined;
  const words = text.split(" ").filter((word) => word !== "");
  const [first = ""] = words;
  const name = first.slice(first.lastIndexOf("/") + 1);
  const program = programOf(name);
  const runsAnother =
    KEYWORDS.has(name) ||
    program.is.has("needsParser") ||
    program.is.has("shell") ||
    unwrap(program, words.slice(1)) !== undefined ||
    mayHideCommand(program, words);
  return runsAnother ? undefined : words;
}
