import type { Field } from "./fields.ts";
import type { ShellAnalysis, ShellCommand } from "./shell/analysis.ts";
import { analysisOf } from "./shell-analysis.ts";
import { shellJoined, shellTextOf } from "./shell-text.ts";
import type { Subject } from "./subject.ts";

/** The analysis of a field's shell text; `call` is the shell text of the call. */
export function analysisOfField(field: Field, subject: Subject): ShellAnalysis | undefined {
  const text = field.key === "call" ? shellTextOf(subject) : shellJoined(field.value(subject));
  return text === undefined ? undefined : analysisOf(subject, text);
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

/** All words of a command that a `runs` pattern can ask for, one a line. */
function commandWords(command: ShellCommand): string {
  const behaviours = command.behaviours.map((behaviour) => `@${behaviour.kind}`);
  return [command.name ?? "", command.text, ...behaviours].join("\n");
}

/**
 * The texts a `runs` pattern requires: its program or `@behaviour`. Only a word spelt plainly counts; with a wildcard
 * or a choice in it nothing is required.
 */
export function requiredProgram(pattern: string): string | undefined {
  const [program] = pattern.trim().split(/\s+/);
  return program !== undefined && /^@?[\w.-]+$/.test(program) ? program : undefined;
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
