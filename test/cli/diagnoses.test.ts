import { describe, expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { EVENTS } from "../../src/core/events/event-table.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { FOREIGN_EVENTS } from "../../src/shared/foreign-events.ts";
import { newProject } from "./support/project.ts";

/** What `validate` says about a file, without the lines that only show a place. */
async function said(text: string): Promise<readonly string[]> {
  const project = newProject();
  project.write("c.yaml", text);
  const { stdout } = await project.run(["validate", "c.yaml"]);
  return stdout
    .split("\n")
    .filter((line) => /^(?:error|warning) /.test(line))
    .map((line) => line.replace(/^(\w+) +c\.yaml:/, "$1 "));
}

const rules = (...lines: readonly string[]): string =>
  [
    "hooks:",
    "  definitions:",
    "    - name: g",
    "      type: inline",
    "      matcher: { events: [PreToolUse], tools: [Bash] }",
    "      rules: |",
    ...lines.map((line) => `        ${line}`),
    "",
  ].join("\n");

const hook = (...lines: readonly string[]): string =>
  ["hooks:", "  definitions:", "    - name: g", ...lines.map((line) => `      ${line}`), ""].join("\n");

const COMMAND = ["type: command", "command: [ls]"];
const MATCHER = "matcher: { events: [PreToolUse] }";

describe("rules in the words of other languages", () => {
  it.each([
    ['command runs "a" => deny("x")', "rules do not know =>. Write -> instead."],
    ['command runs "a" && tool equals "b" -> deny("x")', "rules do not know &&. Write and instead."],
    ['command runs "a" || tool equals "b" -> deny("x")', "rules do not know ||. Write or instead."],
    ['command == "a" -> deny("x")', "rules do not know ==. Write equals instead."],
    ['command === "a" -> deny("x")', "rules do not know ===. Write equals instead."],
    ['command != "a" -> deny("x")', "rules do not know !=. Write not_equals instead."],
    ['!(command runs "a") -> deny("x")', "rules do not know !. Write not instead."],
    ['if command runs "a" -> deny("x")', "A rule has no if: write it as condition -> action"],
    ['if (command runs "a") -> deny("x")', "A rule has no if: write it as condition -> action"],
    ['command runs "a" then deny("x")', "Write -> instead of then."],
  ])("%s", async (rule, help) => {
    const [line, ...more] = await said(rules(rule));
    expect(line).toContain(help);
    expect(more).toEqual([]);
  });

  it("a field may have the name of such a word", async () => {
    expect(await said(rules('if equals "a" -> deny("x")'))).toEqual([]);
  });
});

it("every wrong rule of a hook is reported, and every wrong part of a file", async () => {
  const wrong = rules(
    'command rns "a" -> deny("x")',
    'command runs "b" -> deny("y")',
    'tool matches /(/ -> deny("z")',
    'command runs "c"',
    '  => ask("w")',
  );
  const lines = await said(`${wrong}monitr: {}\npermissions: { deny: ["Bash("] }\n`);
  expect(lines.map((line) => line.split(": ")[0])).toEqual([
    "error 7:17",
    "error 9:9",
    "error 11:11",
    "error 12:1",
    "error 13:23",
  ]);
});

it("a misspelt type, or its key, hides nothing else", async () => {
  const text = (await said(hook("type: comand", "comand: ls", "timeout: soon", MATCHER))).join("\n");
  expect(text).toContain('type is "comand"');
  expect(text).toContain('unknown key "comand". Did you mean "command"?');
  expect(text).toContain('timeout is "soon"');
  expect((await said(hook("typ: command", "command: ls", MATCHER))).join("\n")).toContain(
    'unknown key "typ". Did you mean "type"?',
  );
});

it("a misspelt field of a tool's input is an error, in conditions and in texts; one that nobody knows is not", async () => {
  const help = 'Bash has no field "args.comand". Did you mean "args.command"?';
  expect(await said(rules('args.comand runs "a" -> deny("x")'))).toEqual([expect.stringContaining(help)]);
  expect(await said(rules('command runs "a" -> deny("No {{args.comand}}")'))).toEqual([
    expect.stringContaining(help),
  ]);
  expect(await said(rules('args.workdir contains "a" -> deny("x")'))).toEqual([]);
});

describe("times", () => {
  it("a timeout of milliseconds is a warning", async () => {
    expect(await said(hook(...COMMAND, "timeout: 30000", MATCHER))).toEqual([
      'warning 6:16: Hook "g": timeout is in seconds: 30000 are 8 hours. If 30000 milliseconds are meant, write 30.',
    ]);
    expect(await said(hook(...COMMAND, "timeout: 3600", MATCHER))).toEqual([]);
    expect(await said("hooks: { timeout: 5000 }\n")).toEqual([expect.stringContaining("write 5.")]);
  });

  it.each([
    ["30s", "Write 30."],
    ["2m", "Write 120."],
    ["500ms", "Write 0.5."],
  ])("a timeout of %s says which number that is", async (time, help) => {
    expect(await said(hook(...COMMAND, `timeout: ${time}`, MATCHER))).toEqual([
      expect.stringContaining(help),
    ]);
  });
});

describe("what belongs elsewhere", () => {
  it.each([
    ["use: [safe-shell]\n", "It belongs under hooks."],
    ["definitions: []\n", "It belongs under hooks."],
    ["hooks:\n  permissions: {}\n", "It belongs at the top of the file, beside hooks."],
    [hook(...COMMAND, MATCHER, "tools: [Bash]"), "It belongs under matcher."],
    [hook(...COMMAND, "matcher: { events: [Stop], timeout: 3 }"), "It belongs to the hook, beside matcher."],
    ["hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: []\n", "tenterhook import claude"],
    ["PostToolUse: []\n", "tenterhook import claude"],
    [hook(...COMMAND, "matcher: { events: [BeforeTool] }"), "Write PreToolUse"],
    [hook(...COMMAND, "matcher: { events: [Stop, pre_run_command] }"), "Write PreToolUse"],
  ])("%j", async (text, help) => {
    const lines = await said(text);
    expect(lines).toEqual([expect.stringContaining(help)]);
    expect(lines.join()).not.toContain("Known keys");
  });

  it("knows every agent's names of our events", async () => {
    const named: Record<string, string> = {};
    for (const agent of AGENT_NAMES) {
      const { table } = await integrationOf(agent);
      for (const [native, { event }] of Object.entries(table.events))
        if (event !== undefined && !native.includes(".") && !Object.hasOwn(EVENTS, native))
          named[native] = event;
    }
    const known = Object.entries(named).filter(([native]) => !(native.toLowerCase() in LOWER));
    expect(FOREIGN_EVENTS).toMatchObject(Object.fromEntries(known));
  });
});

/** Names that differ from ours in case alone: the nearest one is offered. */
const LOWER = Object.fromEntries(Object.keys(EVENTS).map((name) => [name.toLowerCase(), name]));

it("a channel is judged by the key that names it", async () => {
  const lines = await said('monitor:\n  notify: [{ telegram: "@me" }]\n');
  expect(lines).toEqual([
    expect.stringContaining("monitor.notify[0].token_env is missing"),
    expect.stringContaining('monitor.notify[0].telegram is "@me"; it must be the number of a chat'),
  ]);
  expect(await said("monitor:\n  notify: [{ sms: 1 }]\n")).toEqual([
    expect.stringContaining("it must be an object with one of desktop, command"),
  ]);
});

it("an empty file is a warning", async () => {
  expect(await said("# nothing yet\n")).toEqual([
    "warning 1:1: The file is empty, so it sets nothing. tenterhook init writes a first configuration.",
  ]);
});

describe("the command line", () => {
  const errorOf = async (...args: readonly string[]) => (await newProject().run(args)).stderr;

  it("asks for the id that is missing", async () => {
    expect(await errorOf("answer")).toMatch(/The id is missing\.\n +tenterhook answer <id>: The question/);
    expect(await errorOf("sessions", "show")).toMatch(
      /The id is missing\.\n +tenterhook sessions show <id>: The session/,
    );
  });

  it.each([
    [["log", "--evrywhere"], "Did you mean --everywhere?"],
    [["log", "--every"], "Did you mean --everywhere?"],
    [["install", "--dry"], "Did you mean --dry-run?"],
    [["list", "--frobnicate"], "tenterhook list --help shows the usage."],
    [["agents", "wait", "w1", "--sate", "idle"], "Did you mean --state?"],
    [["agents", "shwo", "w1"], "There is no tenterhook agents shwo. Did you mean show?"],
  ])("%j names the options there are", async (args, help) => {
    expect(await errorOf(...args)).toContain(help);
  });

  it("explains a command and never runs it, whatever stands behind it", async () => {
    for (const line of ["help answer mh3k --", "help run -- sh -c id"])
      expect(await newProject().run(line.split(" "))).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Usage: tenterhook (?:answer|run) /),
      });
  });

  it("tells its version also as a command", async () => {
    expect((await newProject().run(["version"])).stdout).toBe(`${PACKAGE_VERSION}\n`);
  });
});
