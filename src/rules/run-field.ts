import type { Field } from "./fields.ts";
import { globPattern } from "./index/glob-pattern.ts";
import { type Clause, requiredTexts } from "./index/pattern.ts";
import type { ShellAnalysis, ShellCommand } from "./shell/analysis.ts";
import { parseOptions } from "./shell/options.ts";
import { splitWords } from "./shell/pattern-words.ts";
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
