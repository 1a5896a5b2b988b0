import { globPattern } from "../index/glob-pattern.ts";
import { type Clause, requiredTexts } from "../index/pattern.ts";
import type { ShellAnalysis, ShellCommand } from "../shell/analysis.ts";
import { parseOptions } from "../shell/programs/options.ts";
import { splitWords } from "../shell/runs.ts";
import type { Field } from "./fields.ts";
import { analysisOf } from "./shell-analysis.ts";
import { isShellField, readShell, shellJoined } from "./shell-text.ts";
import type { Subject } from "./subject.ts";

const UNREADABLE: ShellAnalysis = { commands: [], reads: [], writes: [], connects: [], dynamic: true };

const analysed = new WeakMap<Subject, { readonly analysis: ShellAnalysis | undefined }>();

/**
 * The analysis of all shell text of the call, or `undefined` when the call is none of a shell. Each text is analysed
 * by itself, so that none can hide another behind an open quote; what can't be read is dynamic.
 */
export function callAnalysis(subject: Subject): ShellAnalysis | undefined {
  let known = analysed.get(subject);
  if (known === undefined) {
    known = { analysis: analyseCall(subject) };
    analysed.set(subject, known);
  }
  return known.analysis;
}

function analyseCall(subject: Subject): ShellAnalysis | undefined {
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
  };
}

/** The analysis of a field's shell text; `call` and `command` are all shell text of the call. */
export function analysisOfField(field: Field, subject: Subject): ShellAnalysis | undefined {
  if (field.key === "call" || field.key === "command") return callAnalysis(subject);
  const value = field.value(subject) ?? undefined;
  const text = shellJoined(value);
  if (text !== undefined) return analysisOf(subject, text);
  return value !== undefined && isShellField(field.key.split("\u0000").at(-1)) ? UNREADABLE : undefined;
}

/** The commands a field's shell text runs, as a field of its own: for the index only. */
export function runField(field: Field): Field {
  return {
    key: `runs of ${field.key}`,
    pathLike: false,
    shellText: true,
    value: (subject) => field.value(subject),
    identities: (subject) =>
      (analysisOfField(field, subject)?.commands ?? []).map((command) => [commandWords(command)]),
  };
}

/** All words of a command that a `runs` pattern can ask for. */
function commandWords(command: ShellCommand): string {
  const behaviours = command.behaviours.map((behaviour) => `@${behaviour.kind}`);
  const values = command.options.map((option) => option.value);
  return [command.name ?? "", ...command.args, ...values, ...behaviours].join("\n");
}

/** What a `runs` pattern requires of those words: its program, or `@behaviour`, and its arguments. */
export function requiredWords(pattern: string): readonly Clause[] {
  const [program, ...rest] = splitWords(pattern) ?? [];
  if (program === undefined) return [];
  // How words are read as options depends on the program, so arguments count only when it is named plainly.
  const args = /^[\w.+-]+$/.test(program) ? parseOptions(program, rest).args : [];
  return [program, ...args].flatMap((word) => requiredTexts(globPattern(word, "text")));
}

/** A command with everything `runs` looks at in lower case. */
export function inLowerCase(command: ShellCommand): ShellCommand {
  const lower = (text: string) => text.toLowerCase();
  return {
    ...command,
    name: command.name?.toLowerCase(),
    flags: command.flags.map(lower),
    options: command.options.map(({ flag, value }) => ({ flag: lower(flag), value: lower(value) })),
    args: command.args.map(lower),
    text: lower(command.text),
  };
}
