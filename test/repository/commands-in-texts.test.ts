import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CommandRow, listedCommands, optionsOf } from "../../src/cli/command-line/command.ts";
import { COMMAND_TABLE } from "../../src/cli/table/table.ts";
import { filesBelow, ROOT } from "./support/files.ts";

/** A command as a text names it, with its place. */
interface Named {
  readonly place: string;
  readonly words: readonly string[];
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** What pages show as code: spans, and lines of blocks. */
function inPages(): readonly Named[] {
  const pages = ["README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", ...filesBelow("docs", /\.md$/)];
  return pages.flatMap((place) => {
    const text = read(place);
    const spans = [...text.matchAll(/`((?:npx )?tenterhook [^`\n]+)`/g)].map(([, span = ""]) => span);
    const lines = text.split("\n").filter((line) => /^(?:\$ )?(?:npx )?tenterhook /.test(line));
    return [...spans, ...lines].flatMap((line) => commandsIn(line, place));
  });
}

/** What messages and help name: `tenterhook` and words in a string of the program. */
function inSources(): readonly Named[] {
  return filesBelow("src", /\.tsx?$/).flatMap((place) =>
    [...read(place).matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)]
      .filter(([text]) => text.includes("tenterhook "))
      .flatMap(([text]) => commandsIn(text.slice(1, -1).replaceAll('\\"', '"'), place)),
  );
}

function commandsIn(text: string, place: string): readonly Named[] {
  return text
    .split(/(?<![\w/.:-]|(?:install|-g|--save-dev) )tenterhook (?=[a-z]|\$\{)/)
    .slice(1)
    .map((rest) => {
      const [command = ""] = rest.replaceAll(/"[^"]*"/g, "WORD").split(/[\n#`<|>;()]|\.(?:\s|$)|: |, /);
      return { place, words: command.trim().split(/\s+/) };
    });
}

/** Words after the program's name in sentences, which are no commands. */
const PROSE = new Set(["before", "could", "is", "needs", "on"]);

const COMMANDS = [...listedCommands(COMMAND_TABLE), ...COMMAND_TABLE.unlisted];

function problemOf({ words }: Named): string | undefined {
  const [name = "", ...rest] = words;
  if (PROSE.has(name) || name.startsWith("${") || name === "help") return undefined;
  const row = commandNamed(COMMANDS, words);
  if (row === undefined) return `there is no command ${name}`;
  const known = [...optionsOf(row), { flags: "-h, --help" }].flatMap(({ flags }) => flags.split(/[\s,]+/));
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const unknown = own.filter((word) => /^--?[a-z]/.test(word) && !known.includes(word.replace(/=.*/, "")));
  return unknown.length === 0 ? undefined : `${name} has no option ${unknown.join(", ")}`;
}

/** The command that words name: `agents show` is one of its own. */
function commandNamed(commands: readonly CommandRow[], words: readonly string[]): CommandRow | undefined {
  const [name = "", ...rest] = words;
  const row = commands.find((one) => one.name === name);
  return row?.commands === undefined ? row : (commandNamed(row.commands, rest) ?? row);
}

describe("every command that a text names exists", () => {
  const problems = (named: readonly Named[]): readonly string[] =>
    named.flatMap((one) => {
      const problem = problemOf(one);
      return problem === undefined ? [] : [`${one.place}: ${problem} (tenterhook ${one.words.join(" ")})`];
    });

  test("in the README, the guides, the reference and the decisions", () => {
    const named = inPages();
    expect(named.length).toBeGreaterThan(100);
    expect(problems(named).join("\n")).toBe("");
  });

  test("in messages, hints and help", () => {
    const named = inSources();
    expect(named.length).toBeGreaterThan(60);
    expect(problems(named).join("\n")).toBe("");
  });

  test("a misspelt command or option is found", () => {
    expect(problems(commandsIn("Run tenterhook trsut. Or tenterhook list --evnt x", "here"))).toEqual([
      "here: there is no command trsut (tenterhook trsut)",
      "here: list has no option --evnt (tenterhook list --evnt x)",
    ]);
  });
});
