import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { madeOnce } from "../support/made-once.ts";
import type { AtEnd } from "../support/temporary-folder.ts";
import { hookHere } from "./support/decided-here.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

/** A project whose user has a gate. */
function userProject(atEnd: AtEnd): Project {
  const project = newProject({ atEnd });
  const folder = join(project.folder, "config/tenterhook");
  mkdirSync(folder, { recursive: true });
  const rule = `command contains "forbidden" -> deny("my own gate")`;
  writeFileSync(
    join(folder, "hooks.yaml"),
    `hooks: { definitions: [{ name: mine, type: inline, matcher: { events: [PreToolUse] }, rules: '${rule}' }] }`,
  );
  return project;
}

/** The same, with its configuration in the cache. */
async function cachedProject(atEnd: AtEnd): Promise<Project> {
  const project = userProject(atEnd);
  await project.readConfig(shellCall("ls"));
  return project;
}

/** The text of a payload, with something in front of its other keys. */
function payload(cwd: string, event: string, more = ""): string {
  const rest = JSON.stringify({
    session_id: "s1",
    cwd,
    tool_use_id: "t1",
    hook_event_name: event,
    tool_name: "Bash",
    tool_input: { command: "ls" },
  });
  return `{${more}${rest.slice(1)}`;
}

const isRefused = ({ code, stdout }: { readonly code: unknown; readonly stdout: string }): boolean =>
  code === 2 || stdout.includes('"permissionDecision":"deny"');

describe("a payload", () => {
  const project = madeOnce(cachedProject);

  it.each([
    ["a key", '"tool_name":"Read",'],
    ["an escaped key", '"tool\\u005fname":"Read",'],
    ["the name of the event", '"hook_event_name":"SessionEnd",'],
    ["a key of an object in it", '"other":{"a":[{"b":1,"b":2}]},'],
  ])("that gives %s twice is refused", async (_, more) => {
    const result = await hookHere(project(), payload(project().cwd, "PreToolUse", more));
    expect([isRefused(result), `${result.stdout}${result.stderr}`]).toEqual([
      true,
      expect.stringMatching(/The payload gives \\?"(tool_name|hook_event_name|b)\\?" twice\./),
    ]);
  });

  it.each([
    "pretooluse",
    "PRETOOLUSE",
    "pre_tool_use",
    "PreToolUse ",
    " PreToolUse",
    "PreToolUse2",
    "PreToolUse.v2",
    "PreToolUse\u0000",
    "PreToolUse\u200b",
    "PreToolUs\u0435",
    "\uff30reToolUse",
    "PreTooIUse",
    "PreToo1Use",
    "PreT0olUse",
    "UserPromptSubrnit",
    "Preтооluse",
    "userpromptsubmit",
    "constructor\n",
  ])("whose event is called %j is refused", async (event) => {
    const result = await hookHere(project(), payload(project().cwd, event));
    expect([isRefused(result), result.stderr]).toEqual([true, expect.stringContaining("invalid_event")]);
  });

  it("of an event that is new, or looks like one that is no gate, passes", async () => {
    for (const event of ["SomethingNew", "sessionend", "constructor"])
      expect(await hookHere(project(), payload(project().cwd, event))).toMatchObject({ code: 0 });
  });

  it("may have a key twice in two objects, and in a text", async () => {
    const more = `"a":{"b":1},"c":{"b":1,"d":"\\"b\\":1,\\"b\\":2"},`;
    const text = payload(project().cwd, "PreToolUse", more);
    expect(await hookHere(project(), text)).toMatchObject({ code: 0, stdout: "" });
  });
});

const DEEP = 100_000;
const nested = (levels: number, inner = ""): string => "[".repeat(levels) + inner + "]".repeat(levels);

/** A payload of a shell call, with something more in its input. */
const withInput = (cwd: string, more: string): string =>
  payload(cwd, "PreToolUse").replace('"command":"ls"', `"command":"ls",${more}`);

const ATTACKS: readonly (readonly [attack: string, make: (cwd: string) => string, reason: string])[] = [
  ["lists in lists in the input", (cwd) => withInput(cwd, `"x":${nested(DEEP)}`), "more than 1000 levels"],
  [
    "objects in objects in the input",
    (cwd) => withInput(cwd, `"x":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`),
    "more than 1000 levels",
  ],
  [
    "lists that are not closed",
    (cwd) => payload(cwd, "PreToolUse", `"x":${"[".repeat(DEEP)},`),
    "not valid JSON",
  ],
  ["a key twice, deep inside", (cwd) => withInput(cwd, `"x":${nested(5000, '{"a":1,"a":2}')}`), "twice"],
  ["a byte order mark", (cwd) => `\ufeff${payload(cwd, "PreToolUse")}`, "not valid JSON"],
  ["a NUL at its end", (cwd) => `${payload(cwd, "PreToolUse")}\0`, "not valid JSON"],
  ["a NUL in a text", (cwd) => payload(cwd, "PreToolUse").replace('"ls"', '"ls \0"'), "not valid JSON"],
  ["a second payload behind it", (cwd) => `${payload(cwd, "PreToolUse")}\n{}`, "not valid JSON"],
  ["an integer of 400 digits", (cwd) => withInput(cwd, `"x":${"9".repeat(400)}`), "the number Infinity"],
  ["a number out of range", (cwd) => withInput(cwd, '"x":[-1e999]'), "the number -Infinity"],
];

/** Ways to hide a command that a gate refuses. */
const DISGUISES: readonly (readonly [disguise: string, make: (cwd: string) => string])[] = [
  ["an unknown field with lists in lists", (cwd) => payload(cwd, "PreToolUse", `"x":${nested(DEEP)},`)],
  ["an unknown field with an integer", (cwd) => payload(cwd, "PreToolUse", `"x":${"9".repeat(DEEP)},`)],
  [
    "a prototype for the event",
    (cwd) => payload(cwd, "PreToolUse", '"__proto__":{"tool_name":"Read","hook_event_name":"SessionEnd"},'),
  ],
  ["a prototype for the input", (cwd) => withInput(cwd, '"__proto__":{"command":"ls"}')],
  ["a constructor", (cwd) => withInput(cwd, '"constructor":{"prototype":{"command":"ls"}}')],
  ["an escaped NUL", (cwd) => payload(cwd, "PreToolUse").replace('"ls"', '"ls \\u0000 ls"')],
  ["half a surrogate", (cwd) => payload(cwd, "PreToolUse").replace('"ls"', '"ls \\ud800 ls"')],
];

const STACK = /\n\s+at |RangeError|node:internal|\/dist\//;

describe("an attack by payload", () => {
  const project = madeOnce(cachedProject);

  it.each(ATTACKS)("with %s is refused", async (_, make, reason) => {
    const result = await hookHere(project(), make(project().cwd));
    expect([isRefused(result), `${result.stdout}${result.stderr}`]).toEqual([
      true,
      expect.stringContaining(reason),
    ]);
    expect(`${result.stdout}${result.stderr}`).not.toMatch(STACK);
    expect(result.stdout.length + result.stderr.length).toBeLessThan(2000);
  });

  it.each(DISGUISES)("with %s hides no command from a gate", async (_, make) => {
    const result = await hookHere(
      project(),
      make(project().cwd).replace('"command":"ls', '"command":"forbidden'),
    );
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"'), stderr: "" });
    expect(result.stdout).toContain("my own gate");
  });
});

const LETTERS = [..."abcdefgh"];
const ALIASES = LETTERS.map((name, at) => {
  const items = Array(9).fill(at === 0 ? "x" : `*${LETTERS[at - 1]}`);
  return `${name}: &${name} [${items.join(", ")}]\n`;
}).join("");

describe("an attack by configuration", () => {
  it.each([
    ["hooks.json", `{"hooks":${nested(5000)}}`, "nested"],
    ["hooks.json", `{"hooks":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`, "nested"],
    ["hooks.toml", `hooks = ${nested(5000)}`, "nested"],
    ["hooks.toml", `hooks = ${"{a=".repeat(5000)}1${"}".repeat(5000)}`, "nested"],
    ["hooks.yaml", `hooks: ${nested(5000)}`, "nested"],
    ["hooks.yaml", ALIASES, "Aliases expand to more than 10000 values"],
  ])("in %s is refused at its place, also by validate (%#)", async (name, text, reason) => {
    const project = newProject();
    const file = join(project.folder, "config/tenterhook", name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    const hook = await hookHere(project, payload(project.cwd, "PreToolUse"));
    const validate = await project.run(["validate"]);
    expect([isRefused(hook), validate.code]).toEqual([true, 1]);
    for (const { stdout, stderr } of [hook, validate]) {
      expect(`${stdout}${stderr}`).toMatch(new RegExp(`${name}:1:\\d+: .*${reason}`));
      expect(`${stdout}${stderr}`).not.toMatch(STACK);
    }
  });
});
