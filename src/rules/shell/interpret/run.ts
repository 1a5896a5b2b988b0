import type { ShellCommand } from "../analysis.ts";
import { describe, nothingBut } from "../describe.ts";
import { formatPrintf } from "../programs/emulate.ts";
import { fileCall } from "../programs/file-call.ts";
import { hiddenCommands, type Unwrapped, unwrap, type Wrapped } from "../programs/inner-commands.ts";
import { likelyRuns } from "../programs/likely-runs.ts";
import { parseWords } from "../programs/options.ts";
import { loadedByOptions } from "../programs/preloads.ts";
import {
  CHANGES_PROGRAMS,
  isOwnProgram,
  OWN_PROGRAM,
  programName,
  SETS_COMMAND,
  SETS_FUNCTION,
  SETS_GIT,
  SETS_PROMPT,
  SETS_TOOL,
} from "../programs/program-name.ts";
import { type Program, programOf } from "../programs/programs.ts";
import {
  BARE_CONTEXT,
  type Context,
  copyWritten,
  countStep,
  deeper,
  emit,
  type Frame,
  giveUp,
  LIMITS,
  mayRead,
  NO_REDIRECTIONS,
  type Redirections,
  type Stream,
  storeDownloads,
  storeText,
  type Walk,
  withScope,
  writtenText,
} from "../state/frame.ts";
import { assignNamed, change, childScope, type Scope } from "../state/scope.ts";
import { perhaps } from "../state/settle.ts";
import { runScriptFile, runShell, runStdin } from "../state/shells.ts";
import { joinPath, tidyPath } from "../words/paths.ts";
import { baseName, isKnown, shown, withoutTrailing } from "../words/text.ts";

/**
 * Runs one simple command in the mind: lists it, and everything it would run in turn. Returns what it prints, as partly
 * known text, or `undefined` when that is unknown.
 */
export function runWords(words: readonly string[], frame: Frame, context: Context): string | undefined {
  if (!countStep(frame) || !mayRead(frame.walk, words.join("").length)) return undefined;
  runAssignments(context.assignments, frame);
  const [first] = words;
  if (first === undefined) {
    if (
      context.redirections.list.length > 0 ||
      context.assignments.some((text) => CHANGES_PROGRAMS.test(text))
    ) {
      emit(frame.walk, nothingBut(frame, context));
    }
    return "";
  }
  const output = runProgram(first, words, frame, context);
  const { stdout, appends } = context.redirections;
  if (stdout === undefined) return output;
  storeText(stdout, output, appends, frame);
  return "";
}

/** Runs shell texts that a program starts, each in a shell of its own. */
function runTexts(texts: readonly string[], frame: Frame, stdin = frame.stdin): void {
  for (const text of texts)
    frame.walk.run.text(text, deeper(frame, { ...childScope(frame.scope), shell: "other" }, stdin));
}

function runProgram(
  first: string,
  words: readonly string[],
  frame: Frame,
  context: Context,
): string | undefined {
  const rest = words.slice(1);
  const name = programName(first);
  const program = programOf(name ?? "");
  const { command, starts } = describe(name, program, words, frame, context);
  const started =
    name === OWN_PROGRAM ? undefined : fileCall(program, name === undefined ? words : rest, frame);
  if (started !== undefined) {
    const scope = childScope(frame.scope);
    noteLoaded(loadedByOptions(started.before, false), scope);
    runWords(started.words, deeper(frame, scope), BARE_CONTEXT);
  }
  if (name === undefined) {
    emit(frame.walk, command);
    return undefined;
  }
  const { is, builtin, repeats } = program;
  const body = frame.scope.tables.functions.get(name);
  if (body !== undefined) {
    emit(frame.walk, command);
    return frame.walk.run.call(name, body, rest, frame);
  }
  const alias = frame.scope.tables.aliases.get(name);
  if (alias !== undefined) {
    const scope = childScope(frame.scope);
    change(scope).aliases.delete(name);
    frame.walk.run.text(`${shown(alias)} ${rest.map(quote).join(" ")}`, withScope(frame, scope));
  }
  // A path leads to a program, and one changes nothing for the shell that starts it.
  const isFile = first.includes("/");
  if (builtin !== undefined) {
    emit(frame.walk, command);
    const inner = isFile ? withScope(frame, childScope(frame.scope)) : frame;
    return alias === undefined ? builtin(rest, inner) : perhaps(inner, () => builtin(rest, inner));
  }
  if (is.has("shell")) return runShell(command, rest, frame);
  if (repeats !== undefined) {
    emit(frame.walk, command);
    return repeats(rest, frame);
  }
  const unwrapped = name === "command" && /^-[vV]/.test(rest[0] ?? "") ? undefined : unwrap(program, rest);
  if (unwrapped !== undefined)
    return runWrapped(program, command, unwrapped, frame, context, !isFile && first === name);
  emit(frame.walk, command);
  if (is.has("makesFolders")) noteMade(command, frame);
  storeDownloads(command, is.has("unpacks"), frame);
  if (is.has("runsStdinLater")) return runStdin(frame);
  const stdin: Stream = is.has("feedsCommands") ? { text: undefined, from: [command] } : frame.stdin;
  runTexts(hiddenCommands(program, command, frame.walk, frame.stdin.text), frame, stdin);
  runTexts(starts, frame, stdin);
  for (const run of likelyRuns(program, rest))
    runInner(run, deeper(frame, childScope(frame.scope)), NO_REDIRECTIONS);
  noteNames(program, rest, isFile, frame);
  runScriptFile(first, rest, is.has("interpreter"), frame);
  if (is.has("storesInput"))
    for (const path of command.args) storeText(path, frame.stdin.text, command.flags.includes("-a"), frame);
  const text =
    program.output?.(rest, frame.stdin.text, command) ??
    (is.has("printsFiles") ? writtenText(command.args, frame) : undefined);
  // Texts that only flow through are not counted, unless they are so long that a few make too much.
  const isLong = text !== undefined && text.length > LIMITS.bytes;
  return isLong && !mayRead(frame.walk, text.length) ? undefined : text;
}

function noteLoaded(option: string | undefined, scope: Scope): void {
  if (option !== undefined) change(scope).variables.set("NODE_OPTIONS", option);
}

/** A folder that `mkdir -p` has made is there. */
function noteMade({ flags, writes }: ShellCommand, { walk }: Frame): void {
  if (!flags.includes("-p") && !flags.includes("--parents")) return;
  for (const path of writes) walk.made.add(withoutTrailing(path, "/"));
}

/** `named` is false for a program that was named by a path. */
function runWrapped(
  program: Program,
  command: ShellCommand,
  unwrapped: Unwrapped,
  frame: Frame,
  context: Context,
  named: boolean,
): string | undefined {
  const { wrapper, runs } = unwrapped;
  const sets = (wrapper.variables ?? "").split(" ").flatMap((flag) => optionValue(flag, unwrapped.own));
  const assignments = [...unwrapped.assignments, ...sets];
  const { flags, options } = parseWords(program.options, unwrapped.own);
  const plain = runs.length > 0 && !assignments.some((text) => CHANGES_PROGRAMS.test(text));
  emit(frame.walk, { ...command, flags, options, wrapper: wrapper.transparent === true && plain });
  if (command.name === "exec" && runs.length === 0) replaceStdin(context, frame);
  runAssignments(assignments, frame);
  const scope = named && wrapper.inShell === true ? frame.scope : childScope(frame.scope);
  runTexts(hiddenCommands(program, command, frame.walk, frame.stdin.text), frame);
  for (const text of assignments)
    change(scope).variables.set(text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1));
  noteLoaded(loadedByOptions(unwrapped.own, true), scope);
  const folder = wrapper.folder
    ?.split(" ")
    .flatMap((flag) => optionValue(flag, unwrapped.own))
    .at(-1);
  if (folder !== undefined) scope.folder = joinPath(scope.folder, folder);
  const inner: Frame = deeper(frame, scope);
  const started: Frame = scope === frame.scope ? inner : deeper(frame, { ...scope, shell: "other" });
  // `ssh host` alone starts a shell that reads its commands from standard input.
  if (runs.length === 0 && wrapper.text === true && wrapper.skip === 1) return runStdin(started);
  const outputs = runs.map((run) =>
    runInner(run, run.type === "text" ? started : inner, context.redirections),
  );
  return outputs.length === 1 ? outputs[0] : undefined;
}

function runInner(run: Wrapped, frame: Frame, redirections: Redirections): string | undefined {
  return run.type === "text"
    ? frame.walk.run.text(shown(run.text), frame)
    : runWords(run.words, frame, { redirections, assignments: [] });
}

/** The value of an option of a wrapper, as `-C x`, `-Cx` or `--chdir=x`. */
function optionValue(flag: string, words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === flag || word.startsWith(flag.length > 2 ? `${flag}=` : flag));
  const word = words[at];
  if (word === undefined) return [];
  return word === flag ? words.slice(at + 1, at + 2) : [word.slice(flag.length).replace(/^=/, "")];
}

/** `exec < file` changes the standard input of every later command, which is not followed. */
function replaceStdin(context: Context, frame: Frame): void {
  const { stdin } = context.redirections;
  if (stdin !== undefined && !/^\/dev\/(?:null|tty)$/.test(stdin.file ?? "")) frame.walk.dynamic = true;
}

/** Variables such as `GIT_SSH_COMMAND` hold shell text that the command will run. */
function runAssignments(assignments: readonly string[], frame: Frame): void {
  for (const assignment of assignments) {
    if (SETS_FUNCTION.test(assignment)) frame.walk.dynamic = true;
    const value = shown(assignment.slice(assignment.indexOf("=") + 1));
    if (SETS_COMMAND.test(assignment) || SETS_TOOL.test(assignment)) runTexts([value], frame);
    else if (SETS_GIT.test(assignment))
      runTexts(value.startsWith("!") ? [value.slice(1)] : [value, `git ${value}`], frame);
    else if (SETS_PROMPT.test(assignment)) runTexts([`: "${value.replaceAll('"', '\\"')}"`], frame);
  }
}

/** `printf -v name`, and programs that are copied, linked or hashed under another name. */
function noteNames(
  { renames, roles }: Program,
  rest: readonly string[],
  isFile: boolean,
  frame: Frame,
): void {
  if (renames === undefined) return;
  const { scope, walk } = frame;
  if (renames === "variable") {
    if (isFile || rest[0]?.startsWith("-v") !== true) return;
    const words = rest[0] === "-v" ? rest.slice(1) : [rest[0].slice(2), ...rest.slice(1)];
    if (CHANGES_PROGRAMS.test(`${words[0]}=`)) walk.dynamic = true;
    assignNamed(scope, words[0] ?? "", formatPrintf(words.slice(1)));
    return;
  }
  const [from, to] = rest.filter((word) => !word.startsWith("-")).map(shown);
  if (from === undefined || to === undefined) return;
  if (renames === "file") {
    copyWritten(from, to, frame);
    if (roles?.args[0] === "m") noteMoved(joinPath(scope.folder, from), joinPath(scope.folder, to), walk);
    if (isOwnProgram(from) || /(?:^|\/)\.?bin\/[^/]+$/.test(from.slice(-64)))
      change(scope).aliases.set(baseName(to), from);
  } else if (rest[0] === "-p") change(scope).aliases.set(to, from);
}

const MOST_MOVED = 64;

/** `mv src x && rm -rf x` deletes `src`, and after `mv x/* .` there is nothing left in `x`. */
function noteMoved(from: string, to: string, walk: Walk): void {
  const { moved, emptied } = walk;
  if (moved.size >= MOST_MOVED) {
    giveUp(walk);
    return;
  }
  const target = tidyPath(to);
  moved.set(target, from);
  moved.set(tidyPath(`${target}/${baseName(withoutTrailing(from, "/"))}`), from);
  if (from.endsWith("/*")) emptied.add(tidyPath(from.slice(0, -2)));
}

function quote(word: string): string {
  return isKnown(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${shown(word)}"`;
}
