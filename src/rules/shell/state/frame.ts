import type { Function as FunctionNode, ParsedScript } from "unbash";
import type { ShellCommand, ShellRedirection } from "../analysis.ts";
import { shown } from "../words/text.ts";
import type { Scope } from "./scope.ts";

/** Text that flows into a command or out of it. */
export interface Stream {
  /** partly known text; `undefined` when nothing of it is known. */
  readonly text: string | undefined;
  /** The commands it comes from. */
  readonly from: readonly ShellCommand[];
  /** The file it is read from. */
  readonly file?: string;
}

/** What the redirections of one command touch. Targets are partly known text. */
export interface Redirections {
  readonly list: readonly ShellRedirection[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Files that are emptied before anything is written (`>`). */
  readonly truncates: readonly string[];
  /** Where standard output goes, when it is a file. */
  readonly stdout: string | undefined;
  readonly appends: boolean;
  readonly stdin: Stream | undefined;
}

/** A command without redirections. */
export const NO_REDIRECTIONS: Redirections = {
  list: [],
  reads: [],
  writes: [],
  truncates: [],
  stdout: undefined,
  appends: false,
  stdin: undefined,
};

/** The assignments before a simple command, and its redirections. */
export interface Context {
  readonly redirections: Redirections;
  /** `NAME=value` in front of the command, as partly known text. */
  readonly assignments: readonly string[];
}

/** A command that another one runs: its redirections and assignments were read with the outer one. */
export const BARE_CONTEXT: Context = { redirections: NO_REDIRECTIONS, assignments: [] };

/** The body of a shell function. */
export type FunctionBody = FunctionNode["body"];

/**
 * Runs more of the line in the mind. Each returns what is printed, as partly known text, or `undefined` when that is
 * unknown. A walk carries them, so that a command can run others without an import of the walk itself.
 */
export interface Interpreter {
  /** Runs shell text. */
  readonly text: (text: string, frame: Frame) => string | undefined;
  /** Runs a parsed script. */
  readonly script: (script: ParsedScript, frame: Frame) => string | undefined;
  /** Runs one simple command whose words are expanded. */
  readonly words: (words: readonly string[], frame: Frame, context: Context) => string | undefined;
  /** Runs the body of a function; without `args` its arguments are unknown. */
  readonly call: (
    name: string,
    body: FunctionBody,
    args: readonly string[] | undefined,
    frame: Frame,
  ) => string | undefined;
}

/** What one analysis gathers. Everything in it is bounded by {@link LIMITS}. */
export interface Walk {
  readonly run: Interpreter;
  readonly commands: ShellCommand[];
  dynamic: boolean;
  /** A part of the line was not looked at: see {@link giveUp}. */
  incomplete: boolean;
  steps: number;
  /** Characters that were parsed, expanded or run, texts inside texts and each round of a loop included. */
  parsed: number;
  /** Rounds of loops with a value of their own. */
  rounds: number;
  /** Files and programs that streams and substitutions were traced to. */
  traced: number;
  /** What flows out of each substitution, or into a variable, by its source text. */
  readonly substitutions: Map<string, Stream>;
  /** What the line itself has written into files, by path. */
  readonly files: Map<string, Stream>;
  /** Folders that the line has made itself. */
  readonly made: Set<string>;
  /** What the line has moved away, by where it is now. */
  readonly moved: Map<string, string>;
  /** Folders of which it has moved everything away. */
  readonly emptied: Set<string>;
  /** An archive from the network was unpacked, so that what it held may be run by its path. */
  unpacked: boolean;
  /** Functions that were called at least once. */
  readonly called: Set<string>;
  /** Trees of texts that may hold substitutions, and those of the substitutions that were walked. */
  readonly scripts: ParsedScript[];
  readonly walked: Set<ParsedScript>;
}

/** Where in the line the walk is. */
export interface Frame {
  readonly walk: Walk;
  readonly scope: Scope;
  readonly stdin: Stream;
  readonly depth: number;
  /** The bodies of the functions this place is inside of, outermost first: by then a name may mean another function. */
  readonly calls: readonly FunctionBody[];
  /** True in a pipeline or in the background, where a function that calls itself multiplies. */
  readonly spawns: boolean;
}

/** The same place with another scope or input. */
export function withScope(frame: Frame, scope: Scope, stdin = frame.stdin, spawns = frame.spawns): Frame {
  const { walk, depth, calls } = frame;
  return { walk, scope, stdin, depth, calls, spawns };
}

/** A place inside of this one. */
export function deeper(frame: Frame, scope = frame.scope, stdin = frame.stdin, calls = frame.calls): Frame {
  const { walk, depth, spawns } = frame;
  return { walk, scope, stdin, depth: depth + 1, calls, spawns };
}

/** How much an analysis reads before it gives up. */
export const LIMITS = {
  /** The longest text that a program of the line may print for another to read. */
  bytes: 65_536,
  depth: 24,
  commands: 512,
  steps: 4_000,
  rounds: 48,
  parsed: 1_000_000,
  traced: 20_000,
} as const;

/** Nothing to read. */
export const EMPTY: Stream = { text: "", from: [] };

/** Standard input without redirection. */
export const TERMINAL: Stream = { text: undefined, from: [] };

/** Stops looking at a part of the line. What is in it nobody knows, so every rule that stops calls may be about it. */
export function giveUp(walk: Walk): void {
  walk.dynamic = true;
  walk.incomplete = true;
}

/** Adds a command to what was found, or gives up when there are too many. */
export function emit(walk: Walk, command: ShellCommand): void {
  if (walk.commands.length >= LIMITS.commands) giveUp(walk);
  else walk.commands.push(command);
  if (command.dynamic) walk.dynamic = true;
}

/** Counts characters that are worked on; false when there were too many, however few the line has itself. */
export function mayRead(walk: Walk, characters: number): boolean {
  walk.parsed += characters;
  if (walk.parsed <= LIMITS.parsed) return true;
  giveUp(walk);
  return false;
}

/** As many of the traces as may still be followed; with more the analysis gives up. */
export function traced(walk: Walk, traces: readonly string[]): readonly string[] {
  walk.traced += traces.length;
  if (walk.traced <= LIMITS.traced) return traces;
  giveUp(walk);
  return traces.slice(0, 64);
}

/** Counts one step; false when the walk must stop. */
export function countStep(frame: Frame): boolean {
  frame.walk.steps += 1;
  if (frame.walk.steps <= LIMITS.steps && frame.depth <= LIMITS.depth) return true;
  giveUp(frame.walk);
  return false;
}

const MOST_FILES = 64;

/** Remembers text that goes into a file, in case the line runs that file later. */
export function storeText(file: string, text: string | undefined, appends: boolean, frame: Frame): void {
  const { walk } = frame;
  // What a makefile had before is not what this line is about.
  const known = walk.files.get(shown(file)) ?? (MAKEFILE.test(file) ? EMPTY_FILE : undefined);
  const before = appends ? known : EMPTY_FILE;
  const from = [...(before?.from ?? []), ...frame.stdin.from, ...walk.commands.slice(-1)];
  const whole = before?.text === undefined || text === undefined ? undefined : before.text + text;
  store(walk, shown(file), { text: whole, from });
}

function store(walk: Walk, path: string, stream: Stream): void {
  if (walk.files.size <= MOST_FILES) walk.files.set(path, stream);
  else giveUp(walk);
}

const MAKEFILE = /(?:^|\/)(?:GNUm|[Mm])akefile$/;

const EMPTY_FILE: Stream = { text: "", from: [] };

/** The text of files the line has written itself; `undefined` unless it wrote all of them. */
export function writtenText(files: readonly string[], frame: Frame): string | undefined {
  const texts = files.map((file) => writtenFile(file, frame)?.text);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

/** What the line has written into a file, whichever way its path is spelt. */
export function writtenFile(file: string, frame: Frame): Stream | undefined {
  const { files } = frame.walk;
  const path = shown(file);
  return files.get(path) ?? files.get(path.replace(/^\.\//, "")) ?? files.get(`./${path}`);
}

/** A file that is copied or moved takes its text along. */
export function copyWritten(from: string, to: string, frame: Frame): void {
  const stream = writtenFile(from, frame);
  if (stream !== undefined) store(frame.walk, to, stream);
}

/** Remembers what came over the network into files, in case the line runs them later. */
export function storeDownloads(command: ShellCommand, unpacks: boolean, frame: Frame): void {
  const { walk } = frame;
  if (unpacks) {
    const files = command.reads.flatMap((path) => walk.files.get(path)?.from ?? []);
    if ([...frame.stdin.from, ...files].some((source) => source.connects.length > 0)) walk.unpacked = true;
  }
  if (command.connects.length === 0) return;
  for (const path of command.writes) store(walk, path, { text: undefined, from: [command] });
}
