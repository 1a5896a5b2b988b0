import { PROGRAM_FOLDERS } from "../../shared/system-folders.ts";
import type { Behaviour, ShellAnalysis, ShellCommand } from "../shell/analysis.ts";
import { compileField, type Field } from "./fields.ts";
import { type JudgedEvent, type RuleEvent, rememberedFor, subjectOf } from "./judged-event.ts";
import { cwdOf, pathIdentities } from "./paths.ts";
import {
  isShellField,
  ownToolName,
  readShell,
  shellFoldersOf,
  shellJoined,
  shellTextOf,
  shellTextsOf,
  withShellText,
} from "./shell-text.ts";
import { toolCommands } from "./tool-behaviours.ts";

type ShellModule = typeof import("../shell/analyse.ts");

let shell: ShellModule | undefined;

/** Loads the shell analysis with its parser, so that every later question is answered synchronously. */
export async function loadShellAnalysis(): Promise<void> {
  shell ??= await import("../shell/analyse.ts");
  await shell.loadShellParser();
}

/** What must be loaded before these shell texts can be analysed, or `undefined`. A plain line needs no parser. */
export function missingForShell(texts: readonly (string | undefined)[]): Promise<void> | undefined {
  // The hundreds of tests of a rule ask about one text.
  const lines = [...new Set(texts)].filter((text) => text !== undefined);
  if (lines.length === 0 || shell?.shellParserLoaded() === true) return undefined;
  if (shell !== undefined) return lines.every(shell.isPlainShell) ? undefined : shell.loadShellParser();
  return import("../shell/analyse.ts").then((loaded) => {
    shell = loaded;
    return missingForShell(lines);
  });
}

/** The shell text that a test of this field asks about. */
export function shellTextIn(field: string, subject: JudgedEvent): string | undefined {
  if (field !== "call") return shellJoined(compileField(field).value(subject));
  // What another tool does is asked about in the same words.
  return shellTextOf(subject) ?? (toolCommands(subject).length > 0 ? "" : undefined);
}

/**
 * Compiles the pattern of `runs`. Without the shell analysis that happens when a command is tested, since only the
 * analysis finds commands.
 *
 * @throws TenterhookError `bad_pattern`, when the shell analysis is loaded.
 */
export function compileRuns(pattern: string): (command: ShellCommand) => boolean {
  let fits = shell?.compileRuns(pattern);
  return (command) => {
    fits ??= loadedShell().compileRuns(pattern);
    return fits(command);
  };
}

function loadedShell(): ShellModule {
  if (shell === undefined) throw new Error("A shell text was analysed before missingForShell had resolved.");
  return shell;
}

const analyses = rememberedFor<ShellAnalysis>();

function analysisOf(subject: JudgedEvent, text: string): ShellAnalysis {
  return analyses(subject, text, () => analyse(subject, text));
}

function analyse(subject: JudgedEvent, text: string): ShellAnalysis {
  const { only } = subject;
  if (only !== undefined && text === shellTextOf(subject))
    return { ...only, commands: [only], incomplete: false };
  const { environment } = subject.ports;
  const found = loadedShell().analyseShell(isPowerShell(subject) ? slashed(text) : text, environment);
  return atRealPlaces(withoutNewFiles(found, subject), subject);
}

/** A file that is read, sent or changed through a link is the one it leads to. */
function atRealPlaces(analysis: ShellAnalysis, subject: JudgedEvent): ShellAnalysis {
  let looks = 0;
  const commands = analysis.commands.map((command) => {
    const real = command.behaviours.flatMap(({ kind, target }): readonly Behaviour[] => {
      if (!THROUGH_LINKS.has(kind) || !PLAIN_PATH.test(target) || looks >= MOST_LOOKS) return [];
      looks += 1;
      const [[written] = [], ...others] = pathIdentities(subject, target);
      return others.flatMap(([place]) =>
        place === undefined || place === written ? [] : [{ kind, target: place }],
      );
    });
    return real.length === 0 ? command : { ...command, behaviours: [...command.behaviours, ...real] };
  });
  return looks === 0 ? analysis : { ...analysis, commands };
}

const THROUGH_LINKS: ReadonlySet<string> = new Set(["discloses", "sends", "changes"]);

const PLAIN_PATH = /^[^$*?[{`-][^$*?[{`]*$/;

/** A file that is not there can't be overwritten. */
function withoutNewFiles(analysis: ShellAnalysis, subject: JudgedEvent): ShellAnalysis {
  const { ports } = subject;
  const overwrites = analysis.commands.some(({ behaviours }) => behaviours.some(isOverwrite));
  if (!overwrites || ports.holdsData === undefined) return analysis;
  const folders = shellFoldersOf(subject).map((folder) => ports.normalisePath(folder, cwdOf(subject)));
  const places = folders.length === 0 ? [cwdOf(subject)] : folders;
  let looks = 0;
  const isThere = ({ target }: Behaviour): boolean =>
    places.some((cwd) => {
      looks += 1;
      return looks > MOST_LOOKS || ports.holdsData?.(target, cwd) === true;
    });
  const commands = analysis.commands.map((command) => {
    const { behaviours } = command;
    if (!behaviours.some(isOverwrite)) return command;
    return { ...command, behaviours: behaviours.filter((found) => !isOverwrite(found) || isThere(found)) };
  });
  return { ...analysis, commands };
}

/** More files than this are not looked for: they count as there. */
const MOST_LOOKS = 16;

function isOverwrite({ kind }: Behaviour): boolean {
  return kind === "overwrites";
}

function isPowerShell({ event }: JudgedEvent): boolean {
  return ownToolName(event)?.toLowerCase() === "powershell";
}

/**
 * A line of PowerShell, where a backslash separates folders and a backquote escapes, as another shell would have it. At
 * the end of a line the backquote continues the command.
 */
function slashed(text: string): string {
  return text
    .replaceAll("\\", "/")
    .replace(/`\r?\n/g, " ")
    .replaceAll("`", "");
}

/** What nobody can read may touch any file. As a glob, its path overlaps with every other. */
const UNREADABLE: ShellAnalysis = {
  commands: [],
  reads: ["/**"],
  writes: ["/**"],
  connects: [],
  dynamic: true,
  incomplete: true,
};

const callAnalyses = rememberedFor<ShellAnalysis | undefined>();

/**
 * The analysis of all shell text of a call, or `undefined` when it has none. Each text is analysed by itself, so that
 * none can hide another after an open quote; what can't be read is dynamic. Everything {@link missingForShell} names
 * must be loaded.
 */
export function callAnalysis(subject: JudgedEvent): ShellAnalysis | undefined {
  return callAnalyses(subject, "", () => analyseCall(subject));
}

function analyseCall(subject: JudgedEvent): ShellAnalysis | undefined {
  const { texts, unreadable } = readShell(subject.event);
  const parts = texts.map((text) => analysisOf(subject, text));
  if (unreadable) parts.push(UNREADABLE);
  if (parts.length < 2) return parts[0];
  return {
    commands: parts.flatMap((part) => part.commands),
    reads: parts.flatMap((part) => part.reads),
    writes: parts.flatMap((part) => part.writes),
    connects: parts.flatMap((part) => part.connects),
    dynamic: parts.some((part) => part.dynamic),
    incomplete: parts.some((part) => part.incomplete),
  };
}

/** True for a field with one of the shell texts of a call, which may have others. */
export function isOneShellText({ key, shellText }: Field): boolean {
  return shellText && key !== "call" && key !== "command";
}

/** The analysis of a field's shell text; `call` and `command` are all shell text of the call. */
export function analysisOfField(field: Field, subject: JudgedEvent): ShellAnalysis | undefined {
  if (field.key === "call" || field.key === "command") return callAnalysis(subject);
  const value = field.value(subject) ?? undefined;
  const text = shellJoined(value);
  if (text !== undefined) return analysisOf(subject, text);
  return value !== undefined && isShellField(field.key.split("\u0000").at(-1)) ? UNREADABLE : undefined;
}

/** The commands of a field's shell text; of `call` also what a tool that is no shell does. */
export function commandsOf(field: Field, subject: JudgedEvent): readonly ShellCommand[] {
  const commands = analysisOfField(field, subject)?.commands ?? [];
  return field.key === "call" && subject.only === undefined
    ? [...commands, ...toolCommands(subject)]
    : commands;
}

const alone = rememberedFor<readonly JudgedEvent[]>();

/** The event as it would be if the line were one of its commands, for each of them. */
export function commandsAlone(subject: JudgedEvent): readonly JudgedEvent[] {
  return alone(subject, "", () =>
    (callAnalysis(subject)?.commands ?? []).map((command) => aloneIn(subject, command)),
  );
}

function aloneIn(subject: JudgedEvent, command: ShellCommand): JudgedEvent {
  // In every field with shell text, so that a rule sees the command whichever of them it asks.
  const changed = withShellText(subject.event, command.text);
  const event: RuleEvent = typeof changed === "object" && changed !== null ? { ...changed } : subject.event;
  const { native } = event;
  const lines = new Set<unknown>(shellTextsOf(subject));
  const changedEvent =
    native === undefined ? event : { ...event, native: replaced(native, lines, command.text, 0) };
  return subjectOf(changedEvent, subject.ports, command);
}

const DEEPEST = 8;

/** A copy in which every text that is one of the lines is the command instead. */
function replaced(value: unknown, lines: ReadonlySet<unknown>, text: string, depth: number): unknown {
  if (lines.has(value)) return text;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, lines, text, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, lines, text, depth + 1)]),
  );
}

/**
 * True when a command surely is the program it is called after: not one from another folder (`./ls`), and not one that
 * its environment makes another (`PATH=/tmp ls`, `LD_PRELOAD=x.so ls`; assignments that change nothing are not in the text).
 */
export function isNamedProgram({ text }: ShellCommand): boolean {
  const end = text.indexOf(" ");
  const word = end === -1 ? text : text.slice(0, end);
  if (/^\w+=/.test(word)) return false;
  const slash = word.lastIndexOf("/");
  return slash === -1 || PROGRAM_FOLDERS.includes(word.slice(0, slash));
}
