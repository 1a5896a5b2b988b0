import type { ShellAnalysis } from "./analysis.ts";
import { plainList } from "./behaviours/touches.ts";
import { walkMissedSubstitutions } from "./expand/substitutions.ts";
import { runWords } from "./interpret/run.ts";
import { walkFunction, walkScript, walkText } from "./interpret/walk.ts";
import { loadShellParser, shellParserLoaded } from "./parser.ts";
import { mayHideCommand, unwrap } from "./programs/inner-commands.ts";
import { programOf } from "./programs/programs.ts";
import {
  BARE_CONTEXT,
  EMPTY,
  type Frame,
  giveUp,
  type Interpreter,
  LIMITS,
  TERMINAL,
  type Walk,
  withScope,
} from "./state/frame.ts";
import { childScope, type Environment, freshScope } from "./state/scope.ts";
import { withoutMarkers } from "./words/text.ts";

export { compileRuns } from "./runs.ts";

export { loadShellParser, shellParserLoaded };

/** The last few lines, since many rules ask about the same one. */
let cache = new Map<
  string,
  { readonly analysis: ShellAnalysis; readonly environment: Environment | undefined }
>();
const MOST_CACHED = 16;
const MOST_REMEMBERED = 262_144;

/**
 * What a shell line would do. Never throws: a line that is broken or too long is `incomplete`.
 *
 * The parser must be loaded ({@link loadShellParser}) unless the line is plain ({@link plainWords}); without it the
 * result is `incomplete` and lists nothing.
 *
 * @param variables the environment in which the line would run. With it, a variable that nothing sets counts as empty
 * where something is deleted: `rm -rf "$BUILD_DIR"/*`.
 */
export function analyseShell(text: string, variables?: Environment): ShellAnalysis {
  const environment = text.includes("$") ? variables : undefined;
  const known = cache.get(text);
  if (known !== undefined && known.environment === environment) return known.analysis;
  const words = plainWords(text);
  if (words === undefined && !shellParserLoaded()) return UNKNOWN;
  const analysis = analyse(text, words, environment);
  if (text.length > MOST_REMEMBERED) return analysis;
  if (cache.size >= MOST_CACHED) cache = new Map();
  cache.set(text, { analysis, environment });
  return analysis;
}

const UNKNOWN: ShellAnalysis = {
  commands: [],
  reads: [],
  writes: [],
  connects: [],
  dynamic: true,
  incomplete: true,
};

const INTERPRETER: Interpreter = { text: walkText, script: walkScript, words: runWords, call: walkFunction };

/** `words` are those of a plain line. */
function analyse(
  text: string,
  words: readonly string[] | undefined,
  environment: Environment | undefined,
): ShellAnalysis {
  if (text.length > LIMITS.parsed) return UNKNOWN;
  const walk: Walk = {
    run: INTERPRETER,
    commands: [],
    dynamic: false,
    incomplete: false,
    steps: 0,
    parsed: 0,
    rounds: 0,
    traced: 0,
    substitutions: new Map(),
    files: new Map(),
    made: new Set(),
    moved: new Map(),
    emptied: new Set(),
    unpacked: false,
    called: new Set(),
    scripts: [],
    walked: new Set(),
  };
  const scope = freshScope(environment);
  const frame: Frame = { walk, scope, stdin: TERMINAL, depth: 0, calls: [], spawns: false };
  try {
    if (words === undefined) walkText(readable(text, walk), frame);
    else runWords(words, frame, BARE_CONTEXT);
    walkUncalled(frame);
    // A script may hold others, which are added to the list while it is walked.
    for (const script of walk.scripts) walkMissedSubstitutions(script, frame);
  } catch {
    // The stack ran out, or we made a mistake: the result must still be the careful one.
    giveUp(walk);
  }
  return summary(walk);
}

/** The text without characters that have a meaning of their own here, or an unknown one. */
function readable(text: string, walk: Walk): string {
  const whole = withoutMarkers(text);
  if (!whole.includes("\0")) return whole;
  // A shell skips such a character, but a program that starts the shell ends the line there.
  walk.dynamic = true;
  return whole.replaceAll("\0", "");
}

/** Functions the line only defines are looked at too: something it starts may call them. */
function walkUncalled(frame: Frame): void {
  for (const [name, body] of frame.scope.tables.functions) {
    if (frame.walk.called.has(name)) continue;
    walkFunction(name, body, undefined, withScope(frame, childScope(frame.scope), EMPTY));
  }
}

function summary({ commands, dynamic, incomplete }: Walk): ShellAnalysis {
  return {
    commands,
    reads: plainList(commands.map((command) => command.reads)),
    writes: plainList(commands.map((command) => command.writes)),
    connects: plainList(commands.map((command) => command.connects)),
    dynamic: dynamic || commands.some((command) => command.dynamic),
    incomplete,
  };
}

const PLAIN = /^[A-Za-z0-9_./@%+:-][A-Za-z0-9_./@%+:,~-]*(?: +[A-Za-z0-9_./@%+:,~=-]+)*$/;
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
function plainWords(text: string): readonly string[] | undefined {
  if (text.length > LONGEST || !PLAIN.test(text)) return undefined;
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
