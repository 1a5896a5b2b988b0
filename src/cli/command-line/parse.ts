import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Command, CommanderError, Option } from "commander";
import type { TenterhookError } from "../../core/base/errors.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { shellWord } from "../../shared/shell-word.ts";
import { COMMON_OPTIONS, type CommandRow, type CommandTable } from "./command.ts";
import type { Screen } from "./screen/screen.ts";
import { usageError } from "./usage-error.ts";

export interface Parsed {
  readonly commands: readonly CommandRow[];
  readonly row: CommandRow;
  readonly names: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Parses a command line. Returns an exit code after `--help` and `--version`.
 *
 * @throws TenterhookError `usage_error` with the nearest name for a misspelt one.
 */
export function parseArguments(
  args: readonly string[],
  { groups, commands, start }: CommandTable,
  screen: Screen,
): Parsed | number {
  if (args.every((one) => ["--json", "--debug", "--quiet"].includes(one)))
    return {
      commands,
      row: start,
      names: [],
      options: { json: args.includes("--json"), quiet: args.includes("--quiet") },
    };
  let parsed: Parsed | undefined;
  const program = new Command("tenterhook")
    .description("Hooks for AI agents: list, test, install and monitor them.")
    .version(PACKAGE_VERSION, "-v, --version", "Print the version.")
    .helpOption("-h, --help", "Show this help.")
    .helpCommand("help [command]", "Show the help of a command.")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => screen.print(text.trimEnd()),
      writeErr: (text) => screen.tell(text.trimEnd()),
      outputError: () => {},
    })
    .configureHelp({ helpWidth: Number.isFinite(screen.width) ? screen.width : 80 });
  const rows = groups.flatMap(({ title, commands: listed }) => listed.map((row) => ({ title, row })));
  for (const { title, row } of rows) {
    const command = program
      .command(row.name)
      .helpGroup(`${title}:`)
      .summary(row.summary)
      .copyInheritedSettings(program);
    command.description(row.details === undefined ? row.summary : `${row.summary}\n\n${row.details}`);
    if (row.runs_program === true) command.passThroughOptions();
    for (const [usage, description] of row.arguments ?? []) command.argument(usage, description);
    for (const { flags, description, choices, repeated, highest } of [
      ...(row.options ?? []),
      ...COMMON_OPTIONS,
    ]) {
      const option = new Option(flags, description);
      if (choices !== undefined) option.choices(choices);
      if (repeated === true) option.argParser((value, before: readonly string[] = []) => [...before, value]);
      if (highest !== undefined) option.argParser((value) => wholeNumber(value, option, highest, row));
      command.addOption(option);
    }
    command.addHelpText("after", exampleText(row));
    command.action(() => {
      parsed = { commands, row, names: command.args, options: command.opts() };
    });
  }
  program.addHelpText("after", `\nGuides: ${guidesPage()}`);
  checkHelp(args, commands);
  if (args.length === 1 && args[0] === "version") {
    screen.print(PACKAGE_VERSION);
    return 0;
  }
  if (args[0] === "waiting")
    throw usageError(
      "There is no command waiting any more.",
      "tenterhook decisions shows what agents ask you.",
    );
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (["commander.helpDisplayed", "commander.version"].includes(error.code)) return 0;
    if (error.code === "commander.help") return args.includes("help") ? 0 : 2;
    throw parseError(error.message, args, commands);
  }
  return parsed ?? 2;
}

/** Where to read on: a page that ships with the package. */
function guidesPage(): string {
  const schema = createRequire(import.meta.url).resolve("tenterhook/hooks.schema.json");
  return join(dirname(schema), "..", "docs", "guides", "hooks-in-files.md");
}

/** Without this, help for an unknown command would be the general help. */
function checkHelp(args: readonly string[], commands: readonly CommandRow[]): void {
  const [first, second] = args;
  const wanted =
    first === "help" ? second : args.some((one) => /^(?:-h|--help)$/.test(one)) ? first : undefined;
  if (wanted === undefined || wanted.startsWith("-")) return;
  const names = ["help", ...commands.map(({ name }) => name)];
  if (names.includes(wanted)) return;
  const near = nearestName(wanted, names);
  const suggestion = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  throw parseError(`unknown command '${wanted}'${suggestion}`, [], commands);
}

function exampleText({ examples }: CommandRow): string {
  return `\nExamples:\n${examples.map(([line, does]) => `  # ${does}\n  ${line}`).join("\n")}`;
}

/** Turns `error: unknown option '--jsn'` and a suggestion in brackets into sentences. */
function parseError(
  message: string,
  args: readonly string[],
  commands: readonly CommandRow[],
): TenterhookError {
  const [first = "", suggestion = ""] = message.replace(/^error: /, "").split("\n");
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[.]?$/, ".");
  const command = commands.find(({ name }) => name === args[0]);
  if (command?.takes_line === true && args.length > 2)
    return usageError(
      "The command has to be in quotes.",
      `Quote it: tenterhook ${command.name} ${shellWord(args.slice(1).join(" "))}`,
    );
  const near = suggestion.replace(/^\(|\)$/g, "") || optionHelp(first, command);
  return usageError(
    near === "" ? sentence : `${sentence} ${near}`,
    `tenterhook ${command === undefined ? "" : `${command.name} `}--help shows the usage.`,
  );
}

/** The options that an unknown one may mean: one with nearly its name, one that contains it, or all there are. */
function optionHelp(problem: string, command: CommandRow | undefined): string {
  const [, wrong] = /^unknown option '--?([\w-]+)/.exec(problem) ?? [];
  if (wrong === undefined || command === undefined) return "";
  const all = [...(command.options ?? []), ...COMMON_OPTIONS].flatMap(
    ({ flags }) => /--[\w-]+/.exec(flags)?.[0].slice(2) ?? [],
  );
  const near = nearestName(wrong, all) ?? all.find((name) => name.includes(wrong) || wrong.includes(name));
  return near === undefined ? `It has --${all.join(", --")}.` : `Did you mean --${near}?`;
}

/** @throws TenterhookError `usage_error`. */
function wholeNumber(value: string, { long }: Option, highest: number, { name }: CommandRow): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= highest) return number;
  const range = Number.isFinite(highest) ? `from 1 to ${highest}` : "of 1 or more";
  throw usageError(
    `${long} must be a whole number ${range}, not ${value}.`,
    `tenterhook ${name} --help shows the usage.`,
  );
}
