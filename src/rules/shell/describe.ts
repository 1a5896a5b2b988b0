import type { Behaviour, ParsedOptions, ShellCommand } from "./analysis.ts";
import { behavioursOf } from "./behaviours/behaviours.ts";
import { lossesOf } from "./behaviours/loss.ts";
import { NOTHING, plainList, reachesOf, touchesOf } from "./behaviours/touches.ts";
import { LONGEST_CODE, readCode } from "./code/read-code.ts";
import { parseWords } from "./programs/options.ts";
import { CHANGES_PROGRAMS } from "./programs/program-name.ts";
import type { Invocation } from "./programs/program-row.ts";
import { type Program, programOf } from "./programs/programs.ts";
import { type Context, type Frame, giveUp, writtenText } from "./state/frame.ts";
import { joinPath } from "./words/paths.ts";
import { isKnown, shown, unknownParts } from "./words/text.ts";

/** A command, and the shell text that its inline code would start. */
export interface Described {
  readonly command: ShellCommand;
  readonly starts: readonly string[];
}

const NONE: readonly string[] = [];

/** A command that does nothing, for what stands around it: redirections and assignments. */
export function nothingBut(frame: Frame, context: Context): ShellCommand {
  return describe(":", programOf(":"), [":"], frame, context).command;
}

/** Everything the analysis says about one simple command, and what its code starts. The first word names the program. */
export function describe(
  known: string | undefined,
  program: Program,
  words: readonly string[],
  frame: Frame,
  context: Context,
): Described {
  const [first = "", ...rest] = words;
  const { redirections } = context;
  const name = known ?? "";
  const parsed = parseWords(program.options, rest);
  const line = words.join(" ");
  const call: Omit<Invocation, "touches"> = {
    name,
    first,
    words: rest,
    line,
    parsed,
    redirections,
    stdin: frame.stdin,
    folder: frame.scope.folder,
    scope: frame.scope,
    walk: frame.walk,
  };
  const touches = touchesOf(program, call);
  const invocation: Invocation = { ...call, touches };
  const source = codeIn(program, rest, parsed, frame);
  if (source !== undefined && source.length > LONGEST_CODE) giveUp(frame.walk);
  const code = source === undefined ? undefined : readCode(name, shown(source), parsed.flags.includes("-p"));
  const deletes = code?.deletes.filter((path) => path !== "");
  const written = code?.written.map((path) => joinPath(frame.scope.folder, path));
  const quiet = touches === NOTHING && code === undefined;
  const plain = isKnown(line);
  const { flags, options, args } = plain ? parsed : shownOptions(parsed);
  const command: ShellCommand = {
    name: known,
    flags,
    options,
    args,
    text: hasSurroundings(context) ? textOf(words, context) : plain ? line : shown(line),
    dynamic: known === undefined || code?.dynamic === true || isUnknownAsAWhole(source),
    wrapper: false,
    redirections: redirections.list,
    reads: quiet ? NONE : plainList([touches.reads, touches.uses, code?.reads]),
    writes: quiet ? NONE : plainList([touches.writes, touches.deletes, touches.moves, deletes, written]),
    connects: quiet ? NONE : plainList([touches.connects, code?.hosts]),
    behaviours: [
      ...behavioursOf(program, invocation, code, source),
      ...lossesElsewhere(program, invocation, frame.scope.otherFolder),
    ],
    reaches: reachesOf(program, invocation, code),
  };
  return { command, starts: code?.commands ?? NONE };
}

/** What is lost if the `cd` before has failed. */
function lossesElsewhere(
  program: Program,
  invocation: Invocation,
  folder: string | undefined,
): readonly Behaviour[] {
  if (folder === undefined || invocation.touches === NOTHING) return NO_BEHAVIOURS;
  const elsewhere = { ...invocation, folder };
  const losses = lossesOf(program, { ...elsewhere, touches: touchesOf(program, elsewhere) });
  return plainList([losses]).map((target) => ({
    kind: "loses",
    target,
  }));
}

const NO_BEHAVIOURS: readonly Behaviour[] = [];

function shownOptions({ flags, options, args }: ParsedOptions): ParsedOptions {
  return {
    flags: flags.map(shown),
    options: options.map(({ flag, value }) => ({ flag: shown(flag), value: shown(value) })),
    args: args.map(shown),
  };
}

/** Inline code of a command, or that of a script the line has written itself. */
function codeIn(
  { code }: Program,
  rest: readonly string[],
  parsed: ParsedOptions,
  frame: Frame,
): string | undefined {
  if (code === undefined) return undefined;
  const given = parsed.options.filter(({ flag }) => flag === "-f").map(({ value }) => value);
  const files = given.length > 0 ? given : parsed.args.slice(0, 1);
  return code(rest, parsed, frame.stdin.text) ?? substituted(files, frame) ?? writtenText(files, frame);
}

/** The code of `python3 <(command)`. */
function substituted(files: readonly string[], { walk }: Frame): string | undefined {
  const texts = files.flatMap((file) => walk.substitutions.get(shown(file))?.text ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}

function isUnknownAsAWhole(source: string | undefined): boolean {
  return source !== undefined && !isKnown(source) && shown(source).trim() === unknownParts(source)[0];
}

function hasSurroundings({ assignments, redirections }: Context): boolean {
  return assignments.length > 0 || redirections.list.length > 0;
}

function textOf(words: readonly string[], context: Context): string {
  const before = context.assignments.filter((text) => CHANGES_PROGRAMS.test(text));
  const after = context.redirections.list
    .filter(({ operator, target }) => !operator.startsWith("<<") && !/^(?:\d+|-|\/dev\/null)$/.test(target))
    .map(({ operator, target }) => `${operator} ${target}`);
  const own = words.length === 1 && words[0] === ":" && before.length + after.length > 0 ? [] : words;
  return [...before, ...own, ...after].map(shown).join(" ");
}
