import { TenterhookError } from "../../core/base/errors.ts";
import { compileGlob } from "../../core/match/glob.ts";
import { BEHAVIOURS, type ShellCommand } from "./analysis.ts";
import { compileTarget } from "./judge/behaviour-target.ts";
import { parseOptions } from "./programs/options.ts";
import { programOf } from "./programs/programs.ts";
import { expandBraces } from "./words/braces.ts";

type Test = (text: string) => boolean;

/**
 * Compiles the pattern of `runs`: a program with at least these options, in any order and spelling, and these
 * arguments in this order. Program and arguments may be globs; quotes keep spaces together. For a program with
 * subcommands the first argument is the subcommand: `git push --force` does not fit `git stash push`.
 *
 * An option with `!` in front must be missing: `git clean -f !-n`. One that says `=none` or `=false` counts as missing.
 *
 * A pattern that begins with `@` names a behaviour instead of a program: `@loses` fits any command that deletes more
 * than throw-away output, `@sends **\/.env` one that sends that file away.
 *
 * A rule with `runs` is tried even when the program's name is not in the text: `$'\x72m'` runs `rm`.
 *
 * @throws TenterhookError `bad_pattern` for an empty pattern, an unclosed quote or an unknown behaviour.
 */
export function compileRuns(pattern: string): (command: ShellCommand) => boolean {
  const words = splitWords(pattern);
  const [program, ...rest] = words ?? [];
  if (program === undefined || program === "")
    throw bad(pattern, words === undefined ? "has an unclosed quote" : "names no program");
  if (program.startsWith("@")) return compileBehaviour(pattern, program.slice(1), rest);
  if (program.startsWith("-")) throw bad(pattern, "begins with an option; the program comes first");
  if (program.includes("/")) throw bad(pattern, "gives a folder; programs are compared by their name alone");
  return compileProgram(program, rest, unwantedOptions(pattern));
}

function bad(pattern: string, problem: string): TenterhookError {
  return new TenterhookError(
    "bad_pattern",
    `The pattern ${JSON.stringify(pattern.slice(0, 200))} of runs ${problem}.`,
    {
      hint: 'Write a program, its options and arguments, such as "rm -r -f" or "git push --force".',
    },
  );
}

function compileBehaviour(
  pattern: string,
  kind: string,
  targets: readonly string[],
): (command: ShellCommand) => boolean {
  if (!BEHAVIOURS.some((known) => known === kind))
    throw bad(pattern, `names an unknown behaviour; there are ${BEHAVIOURS.join(", ")}`);
  const tests = targets.map(compileTarget);
  return ({ behaviours }) =>
    behaviours.some(
      (found) => found.kind === kind && (tests.length === 0 || tests.some((fits) => fits(found.target))),
    );
}

/** `{npm,pnpm} install` is one pattern for each program, since each reads options its own way. */
function compileProgram(
  program: string,
  rest: readonly string[],
  missing: readonly string[],
): (command: ShellCommand) => boolean {
  const choices = programChoices(program);
  if (choices === undefined) return compileOne(program, rest, missing);
  if (choices.some((choice) => /[*?[\]\\]/.test(choice))) {
    const tests = choices.map((choice) => compileOne(choice, rest, missing));
    return (command) => tests.some((test) => test(command));
  }
  const byName = new Map(choices.map((choice) => [choice, compileOne(choice, rest, missing)]));
  return (command) => command.name !== undefined && byName.get(command.name)?.(command) === true;
}

/** The programs of `{npm,pnpm}`; `undefined` for one that is no such choice. */
export function programChoices(program: string): readonly string[] | undefined {
  return /^\{[^{}]*,[^{}]*\}$/.test(program) ? expandBraces(program) : undefined;
}

function compileOne(
  program: string,
  rest: readonly string[],
  missing: readonly string[],
): (command: ShellCommand) => boolean {
  const named: Test = compileGlob(program, { kind: "text" });
  const spelling = program.replace(/\*$/, "");
  const parsed = parseOptions(spelling, rest);
  const unwanted = parseOptions(spelling, missing);
  const options = parsed.options.map(({ flag, value }) => ({
    flag,
    fits: compileGlob(value, { kind: "text" }),
  }));
  const flags = parsed.flags.map((flag): Test => compileGlob(flag, { kind: "text" }));
  const args = parsed.args.map((arg): Test => compileGlob(arg, { kind: "text" }));
  const anchored = programOf(program).options.subcommands;
  return (command) =>
    command.name !== undefined &&
    named(command.name) &&
    flags.every((fits) => command.flags.some(fits)) &&
    !unwanted.flags.some((flag) => isGiven(flag, command)) &&
    options.every(({ flag, fits }) =>
      command.options.some((option) => option.flag === flag && fits(option.value)),
    ) &&
    inOrder(args, command.args, anchored);
}

function isGiven(flag: string, command: ShellCommand): boolean {
  if (isPassedOn(flag, command)) return true;
  const value = command.options.find((option) => option.flag === flag)?.value;
  return command.flags.includes(flag) && value !== "none" && value !== "false";
}

/** True for an option that a package manager hands to the script it runs: `npm run release -- --dry-run`. */
function isPassedOn(flag: string, { name = "", args, flags }: ShellCommand): boolean {
  const isScript = /^(?:npm|pnpm|yarn|bun)$/.test(name) && /^run(?:-script)?$/.test(args[0] ?? "");
  return isScript && flags.includes("--") && args.includes(flag);
}

/** True when each test finds an argument after that of the test before; anchored, the first takes the first. */
function inOrder(tests: readonly Test[], args: readonly string[], anchored: boolean): boolean {
  let at = 0;
  for (const [index, test] of tests.entries()) {
    const last = anchored && index === 0 ? 1 : args.length;
    while (at < last && !test(args[at] ?? "")) at += 1;
    if (at >= last || at >= args.length) return false;
    at += 1;
  }
  return true;
}

/** The words a pattern asks for; quotes keep words together. `undefined` for a quote that nothing closes. */
export function splitWords(pattern: string): readonly string[] | undefined {
  return splitAll(pattern)?.filter((word) => !word.startsWith("!-"));
}

/** The options a pattern wants to be missing, written with a `!` in front. */
function unwantedOptions(pattern: string): readonly string[] {
  return (splitAll(pattern) ?? []).filter((word) => word.startsWith("!-")).map((word) => word.slice(1));
}

function splitAll(pattern: string): readonly string[] | undefined {
  if (!/["']/.test(pattern)) return pattern.split(/\s+/).filter((word) => word !== "");
  const words: string[] = [];
  let current: string | undefined;
  let quote = "";
  for (const char of pattern) {
    if (quote !== "") {
      if (char === quote) quote = "";
      else current = (current ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      current ??= "";
    } else if (/\s/.test(char)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else {
      current = (current ?? "") + char;
    }
  }
  if (quote !== "") return undefined;
  if (current !== undefined) words.push(current);
  return words;
}
