import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMON_OPTIONS } from "../../src/cli/command-line/command.ts";
import { COMMANDS } from "../../src/cli/commands/commands.ts";
import { runCli } from "../cli/support/run-cli.ts";
import { filesBelow, ROOT } from "./support/files.ts";

/** A command as a text names it, with its place. */
interface Named {
  readonly place: string;
  readonly words: readonly string[];
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** What pages show as code: spans, and lines of blocks. */
function inPages(): readonly Named[] {
  const pages = ["README.md", "CONTRIBUTING.md", ...filesBelow("docs", /\.md$/)];
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

function problemOf({ words }: Named): string | undefined {
  const [name = "", ...rest] = words;
  if (PROSE.has(name) || name.startsWith("${") || name === "help") return undefined;
  const row = COMMANDS.find((one) => one.name === name);
  if (row === undefined) return `there is no command ${name}`;
  const known = [...(row.options ?? []), ...COMMON_OPTIONS, { flags: "-h, --help" }].flatMap(({ flags }) =>
    flags.split(/[\s,]+/),
  );
  const unknown = rest.filter((word) => /^--?[a-z]/.test(word) && !known.includes(word.replace(/=.*/, "")));
  return unknown.length === 0 ? undefined : `${name} has no option ${unknown.join(", ")}`;
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
    expect(problems(named)).toEqual([]);
  });

  test("in messages, hints and help", () => {
    const named = inSources();
    expect(named.length).toBeGreaterThan(60);
    expect(problems(named)).toEqual([]);
  });

  test("a misspelt command or option is found", () => {
    expect(problems(commandsIn("Run tenterhook trsut. Or tenterhook list --evnt x", "here"))).toEqual([
      "here: there is no command trsut (tenterhook trsut)",
      "here: list has no option --evnt (tenterhook list --evnt x)",
    ]);
  });
});

test("--help names the folder of the guides, which is there", async () => {
  const { stdout } = await runCli(ROOT, {}, "--help");
  const [, page = ""] = /^Guides: (.*)$/m.exec(stdout) ?? [];
  expect(existsSync(page)).toBe(true);
  expect((await runCli(ROOT, {}, "list", "--help")).stdout).not.toContain("Guides:");
});
