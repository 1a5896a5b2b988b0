import { Command, CommanderError, Option } from "commander";
import type { TenterhookError } from "../../core/base/errors.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { PLACES } from "../../node/places.ts";
import { bundledPackages } from "./bundled-packages.ts";
import {
  type CommandOption,
  type CommandRow,
  type CommandTable,
  listedCommands,
  optionsOf,
} from "./command.ts";
import { overview } from "./overview.ts";
import type { Screen } from "./screen/screen.ts";
import { usageError } from "./usage-error.ts";

export interface Parsed {
  readonly row: CommandRow & Required<Pick<CommandRow, "load">>;
  readonly names: readonly string[];
  readonly program?: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Parses a command line. Returns an exit code after `--help` and `--version`.
 *
 * @throws TenterhookError `usage_error` with the nearest name for a misspelt one.
 */
export function parseArguments(
  args: readonly string[],
  table: CommandTable,
  screen: Screen,
): Parsed | number {
  const areOptions = args.every((one) => one.startsWith("-"));
  if (areOptions && !args.some((one) => ["-h", "--help", "--version"].includes(one)))
    return parseCommand(table.start, [table.start.name, ...args], screen);
  const words = helpOf(inNewWords(args, table.habits), table);
  const [first = ""] = words;
  if ((words.length === 1 && first === "help") || (areOptions && !args.includes("--version"))) {
    // Without a margin, its lines fit 80 columns.
    screen.write(`${overview(table)}\n`);
    return 0;
  }
  if (["version", "--version"].includes(first)) {
    screen.print(PACKAGE_VERSION);
    if (words.some((word) => word === "-v" || word === "--verbose"))
      screen.print("", "Its files contain:", ...bundledPackages().map((name) => `  ${name}`));
    return 0;
  }
  const row = commandsOf(table).find(({ name }) => name === first);
  if (row === undefined) throw unknownCommand(words, table);
  return parseCommand(row, words, screen);
}

function commandsOf({ groups, unlisted }: CommandTable): readonly CommandRow[] {
  return [...groups.flatMap(({ commands }) => commands), ...unlisted];
}

/** The words of today for those of habit. */
function inNewWords(args: readonly string[], habits: CommandTable["habits"]): readonly string[] {
  const known = habits
    .map(([words, command]) => [words.split(" "), command.split(" ")] as const)
    .filter(([words]) => words.every((word, at) => args[at] === word))
    .sort(([one], [other]) => other.length - one.length);
  const [[words, command] = [[], []]] = known;
  return [...command, ...args.slice(words.length)];
}

/** `help list` is `list --help`, and nothing of what stands behind the command counts; what is no command is a page of the guide. */
function helpOf(words: readonly string[], table: CommandTable): readonly string[] {
  const [first, ...topic] = words;
  const row = listedCommands(table).find(({ name }) => name === topic[0]);
  return first !== "help" || row === undefined
    ? words
    : [...pathTo(row, topic).map(({ name }) => name), "--help"];
}

function parseCommand(row: CommandRow, words: readonly string[], screen: Screen): Parsed | number {
  const end = row.takes_program === true ? words.indexOf("--") : -1;
  const program = end === -1 ? undefined : words.slice(end + 1);
  let parsed: Parsed | undefined;
  const root = new Command("tenterhook")
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => screen.print(text.trimEnd()),
      outputError: () => {},
    })
    .configureHelp({ helpWidth: Number.isFinite(screen.width) ? screen.width : 80 });
  const add = (parent: Command, one: CommandRow, above: readonly string[]): void => {
    const path = [...above, one.name];
    const command = commandOf(parent, one, path);
    for (const below of one.commands ?? []) add(command, below, path);
    command.action(() => {
      if (one.load === undefined || (one.commands !== undefined && command.args.length > 0))
        throw actionError(one, command.args, path);
      parsed = { row: { ...one, load: one.load }, names: command.args, options: command.opts() };
    });
  };
  add(root, row, []);
  try {
    root.parse(end === -1 ? words : words.slice(0, end), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return 0;
    throw parseError(error.message, words, row);
  }
  if (parsed === undefined) return 2;
  return program === undefined ? parsed : { ...parsed, program };
}

function commandOf(parent: Command, row: CommandRow, path: readonly string[]): Command {
  const { summary, details, commands } = row;
  const command = parent
    .command(row.name, { hidden: row.hidden === true })
    .copyInheritedSettings(parent)
    .helpOption("-h, --help", "Show this help.")
    .summary(summary)
    .description(details === undefined ? summary : `${summary}\n\n${details}`)
    .allowExcessArguments(commands !== undefined)
    .addHelpText("after", exampleText(row));
  for (const { usage, description } of row.arguments ?? []) command.argument(usage, description);
  for (const given of optionsOf(row)) command.addOption(optionFor(given, path));
  return command;
}

function optionFor(
  { flags, description, choices, repeated, highest }: CommandOption,
  path: readonly string[],
): Option {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices(choices);
  if (repeated === true) option.argParser((value, before: readonly string[] = []) => [...before, value]);
  if (highest !== undefined) option.argParser((value) => wholeNumber(value, option, highest, path));
  return option;
}

function exampleText({ examples }: CommandRow): string {
  return `\nExamples:\n${examples.map(([line, does]) => `  # ${does}\n  ${line}`).join("\n")}`;
}

/** The error for a command without a subcommand it needs, or with one it does not have. */
function actionError(row: CommandRow, [word]: readonly string[], path: readonly string[]): TenterhookError {
  const own = (row.commands ?? []).filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  const command = `tenterhook ${path.join(" ")}`;
  const hint = `${command} ${own.join("|")}`;
  if (word === undefined) return usageError(`What is ${command} to do?`, hint);
  return unknown(`${command} ${word}`, nearestName(word, own), hint);
}

function unknownCommand([word = "", ...rest]: readonly string[], table: CommandTable): TenterhookError {
  const names = commandsOf(table).flatMap(({ name, hidden }) => (hidden === true ? [] : [name]));
  if (word.startsWith("-") && names.includes(rest[0] ?? ""))
    return usageError("Put options after the command.", ["tenterhook", ...rest, word].join(" "));
  if (word.startsWith("-")) return unknown(`option ${word}`, undefined, ALL_COMMANDS);
  return unknown(`command ${word}`, nearestName(word, names), ALL_COMMANDS);
}

const ALL_COMMANDS = "tenterhook --help shows all commands.";

function unknown(what: string, near: string | undefined, hint: string): TenterhookError {
  return usageError(`There is no ${what}.${near === undefined ? "" : ` Did you mean ${near}?`}`, hint);
}

/** Turns `error: unknown option '--jsn'` into sentences. */
function parseError(message: string, words: readonly string[], row: CommandRow): TenterhookError {
  if (row.takes_line === true && words.length > 2 && !isFile(words[1]))
    return usageError(
      "The command has to be in quotes.",
      `Quote it: tenterhook ${row.name} ${PLACES.word(words.slice(1).join(" "))}`,
    );
  const [first = "", suggestion = ""] = message.replace(/^error: /, "").split("\n");
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/[.]?$/, ".");
  const path = pathTo(row, words);
  const missing = path
    .at(-1)
    ?.arguments?.find(({ usage }) => first === `missing required argument '${nameIn(usage)}'`);
  if (missing !== undefined)
    return usageError(
      `The ${nameIn(missing.usage)} is missing.`,
      `tenterhook ${path.map(({ name }) => name).join(" ")} ${missing.usage}: ${missing.description}`,
    );
  const near = suggestion.replace(/^\(|\)$/g, "") || nearOption(first, path.at(-1) ?? row);
  return usageError(
    [sentence, near].join(" ").trim(),
    `${["tenterhook", ...path.map(({ name }) => name).filter((name) => name !== "tenterhook")].join(" ")} --help shows the usage.`,
  );
}

/** A file, or stdin, in the place of a line for a shell. */
function isFile(word: string | undefined): boolean {
  return word === "-" || word?.endsWith(".json") === true;
}

/** `<agents...>`: agents. */
function nameIn(usage: string): string {
  return usage.replaceAll(/[^\w-]/g, "");
}

/** The command and those below it that were named. */
function pathTo(row: CommandRow, words: readonly string[]): readonly CommandRow[] {
  const below = row.commands?.find(({ name }) => name === words[1]);
  return below === undefined ? [row] : [row, ...pathTo(below, words.slice(1))];
}

/** An option that an unknown one contains, or that contains it. */
function nearOption(problem: string, row: CommandRow): string {
  const [, wrong] = /^unknown option '--?([\w-]+)/.exec(problem) ?? [];
  if (wrong === undefined) return "";
  const all = optionsOf(row).flatMap(({ flags }) => /--[\w-]+/.exec(flags)?.[0].slice(2) ?? []);
  const near = nearestName(wrong, all) ?? all.find((name) => name.includes(wrong) || wrong.includes(name));
  return near === undefined ? "" : `Did you mean --${near}?`;
}

/** @throws TenterhookError `usage_error`. */
function wholeNumber(
  value: string,
  { long, short }: Option,
  highest: number,
  path: readonly string[],
): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= highest) return number;
  const range = Number.isFinite(highest) ? `from 1 to ${highest}` : "of 1 or more";
  throw usageError(
    `${long ?? short} must be a whole number ${range}, not ${value}.`,
    `tenterhook ${path.join(" ")} --help shows the usage.`,
  );
}
