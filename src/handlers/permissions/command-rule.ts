import { compileGlob } from "../../core/match/glob.ts";
import { isNamedProgram } from "../../rules/fields/shell-analysis.ts";
import { shellTextsOf } from "../../rules/fields/shell-text.ts";
import { asGlob, readCommand } from "../../rules/permissions/parse-rule.ts";
import type { ShellCommand } from "../../rules/shell/analysis.ts";
import { parseOptions } from "../../rules/shell/programs/options.ts";
import { compileRuns, splitWords } from "../../rules/shell/runs.ts";
import type { PermissionRule } from "./judged-call.ts";

type Test<T> = (value: T) => boolean;

/**
 * A rule for shell commands: `npm run build` is exactly that command, `git diff:*` and `git diff *` may be followed by
 * anything, and `*` elsewhere is any text. As a deny or ask it finds options in any order and spelling and sees through
 * wrappers; as an allow it compares each simple command word by word.
 *
 * @throws TenterhookError `bad_permission` for a rule that names no program.
 */
export function compileCommandRule(text: string, value: string): PermissionRule {
  const { body, open } = readCommand(text, value);
  const tests = [body, ...(open && body !== "*" ? [`${body} *`] : [])].map((pattern) =>
    compileGlob(asGlob(pattern), { kind: "text" }),
  );
  const fits: Test<string> = (command) => tests.some((test) => test(command));
  const runs = compileSpelling(body, open);
  return {
    text,
    concerns: ({ shell, subject }) => {
      if (shell === undefined) return "no";
      const found = shell.commands.some((command) => runs(command) || spellings(command).some(fits));
      if (found || shellTextsOf(subject).some((line) => fits(line.trim()))) return "yes";
      return shell.dynamic ? "maybe" : "no";
    },
    covers: () => false,
    coversCommand: (command) => isPlainlyNamed(command) && [command.text, byName(command)].some(fits),
  };
}

/** The command with its program by name alone, and in lower case where a file system does not tell the difference. */
function spellings(command: ShellCommand): readonly string[] {
  const named = byName(command);
  return [
    command.text,
    named,
    `${(command.name ?? "").toLowerCase()}${named.slice(command.name?.length ?? 0)}`,
  ];
}

/** `/bin/rm x` is `rm x`. */
function byName({ name, text }: ShellCommand): string {
  if (name === undefined) return text;
  const end = text.indexOf(" ");
  return `${name}${end === -1 ? "" : text.slice(end)}`;
}

/** True when the first word of the text is the program and nothing else: `"npm run" x` is not `npm`. */
function isPlainlyNamed(command: ShellCommand): boolean {
  const { name, text } = command;
  if (name === undefined || command.dynamic || /\s/.test(name) || !isNamedProgram(command)) return false;
  const [first = ""] = text.split(" ", 1);
  return first === name || first.endsWith(`/${name}`);
}

/** The rule as `runs` reads it: these options in any order and spelling, and more only when the rule is open. */
function compileSpelling(body: string, open: boolean): Test<ShellCommand> {
  const [first = "", ...rest] = splitWords(asGlob(body)) ?? [];
  const program = first.slice(first.lastIndexOf("/") + 1);
  if (program === "*") return () => false;
  const runs = tryRuns([program, ...rest].map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" "));
  const wanted = parseOptions(program, rest);
  const isAll = (given: Words) =>
    sizeOf(given.flags) === sizeOf(wanted.flags) &&
    given.args.length === wanted.args.length &&
    given.options.length === wanted.options.length;
  return (command) => {
    const named = command.name === undefined ? command : { ...command, name: command.name.toLowerCase() };
    return (runs(command) || runs(named)) && (open || isAll(command));
  };
}

type Words = Pick<ShellCommand, "flags" | "options" | "args">;

function sizeOf(flags: readonly string[]): number {
  return new Set(flags).size;
}

function tryRuns(pattern: string): Test<ShellCommand> {
  try {
    return compileRuns(pattern);
  } catch {
    // An open quote, or no program by name: then the words alone are compared.
    return () => false;
  }
}
