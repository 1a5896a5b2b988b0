import type { ShellAnalysis } from "./analysis.ts";
import {
  BARE_CONTEXT,
  beside,
  EMPTY,
  type Frame,
  type Interpreter,
  LIMITS,
  TERMINAL,
  type Walk,
} from "./interpret/frame.ts";
import { sweep } from "./interpret/missed-substitutions.ts";
import { runWords } from "./interpret/run.ts";
import { childScope, freshScope } from "./interpret/scope.ts";
import { walkFunction, walkScript, walkText } from "./interpret/walk.ts";
import { loadShellParser, shellParserLoaded } from "./parser.ts";
import { plainList } from "./programs/touches.ts";
import { withoutMarks } from "./words/partly-known-text.ts";
import { plainWords } from "./words/plain.ts";

export { loadShellParser, shellParserLoaded };

/**
 * The last few lines: half of them in one map, those before in another, which is dropped when the first is full. A
 * single map that loses its oldest line at each new one makes tables that lead to each other, and the garbage collector
 * keeps all they ever held.
 */
const MOST_REMEMBERED = 16;
let latest = new Map<string, ShellAnalysis>();
let earlier = latest;

/**
 * What a shell line would do. Never throws: what can't be known, parsed or bounded makes the answer `dynamic`.
 *
 * The parser must be loaded ({@link loadShellParser}) unless the line is plain ({@link plainWords}); without it the
 * answer is `dynamic` and lists nothing. The last few lines are remembered, since many rules ask about the same one.
 */
export function analyseShell(text: string): ShellAnalysis {
  const known = latest.get(text) ?? earlier.get(text);
  if (known !== undefined) return known;
  const words = plainWords(text);
  if (words === undefined && !shellParserLoaded()) return UNKNOWN;
  const analysis = analyse(text, words);
  if (text.length > LIMITS.bytes) return analysis;
  if (latest.size >= MOST_REMEMBERED) {
    earlier = latest;
    latest = new Map();
  }
  latest.set(text, analysis);
  return analysis;
}

const UNKNOWN: ShellAnalysis = { commands: [], reads: [], writes: [], connects: [], dynamic: true };

const INTERPRETER: Interpreter = { text: walkText, script: walkScript, words: runWords, call: walkFunction };

/** `words` are those of a plain line. */
function analyse(text: string, words: readonly string[] | undefined): ShellAnalysis {
  if (isTooLong(text)) return UNKNOWN;
  const walk: Walk = {
    run: INTERPRETER,
    commands: [],
    dynamic: false,
    steps: 0,
    parsed: 0,
    traced: 0,
    substitutions: undefined,
    files: undefined,
    unpacked: false,
    called: undefined,
    scripts: [],
    walked: undefined,
  };
  const frame: Frame = { walk, scope: freshScope(), stdin: TERMINAL, depth: 0, calls: [], spawns: false };
  try {
    if (words === undefined) walkText(readable(text, walk), frame);
    else runWords(words, frame, BARE_CONTEXT);
    walkUncalled(frame);
    // A text that is swept may hold others, which come behind it.
    for (const script of walk.scripts) sweep(script, frame);
  } catch {
    // A stack that ran out, or a mistake of ours: the answer must still be the careful one.
    walk.dynamic = true;
  }
  return summary(walk);
}

/** The text without what stands for something else here, or for nobody knows what. */
function readable(text: string, walk: Walk): string {
  const whole = withoutMarks(text);
  if (!whole.includes("\0")) return whole;
  // A shell passes over such a character, and a program that starts one ends the line there: nobody knows which it is.
  walk.dynamic = true;
  return whole.replaceAll("\0", "");
}

/** More than 64 kB as UTF-8, of which a character takes three bytes at most. */
function isTooLong(text: string): boolean {
  if (text.length * 3 <= LIMITS.bytes) return false;
  return text.length > LIMITS.bytes || new TextEncoder().encode(text).length > LIMITS.bytes;
}

/** Functions the line only defines are looked at too: something it starts may call them. */
function walkUncalled(frame: Frame): void {
  for (const [name, body] of frame.scope.tables.functions) {
    if (frame.walk.called?.has(name) === true) continue;
    walkFunction(name, body, undefined, beside(frame, childScope(frame.scope), EMPTY));
  }
}

function summary({ commands, dynamic }: Walk): ShellAnalysis {
  const [only] = commands;
  if (only !== undefined && commands.length === 1) {
    const { reads, writes, connects } = only;
    return { commands, reads, writes, connects, dynamic: dynamic || only.dynamic };
  }
  return {
    commands,
    reads: plainList(commands.map((command) => command.reads)),
    writes: plainList(commands.map((command) => command.writes)),
    connects: plainList(commands.map((command) => command.connects)),
    dynamic: dynamic || commands.some((command) => command.dynamic),
  };
}
