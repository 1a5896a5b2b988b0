import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { newProject } from "./support/project.ts";

beforeAll(mustBeBuilt);

function userProject() {
  const project = newProject();
  const folder = join(project.folder, "config/tenterhook");
  mkdirSync(folder, { recursive: true });
  const rule = `command contains "forbidden" -> deny("my own gate")`;
  writeFileSync(
    join(folder, "hooks.yaml"),
    `hooks: { definitions: [{ name: mine, type: inline, matcher: { events: [PreToolUse] }, rules: '${rule}' }] }`,
  );
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
  it.each([
    ["a key", '"tool_name":"Read",'],
    ["an escaped key", '"tool\\u005fname":"Read",'],
    ["the name of the event", '"hook_event_name":"SessionEnd",'],
    ["a key of an object in it", '"other":{"a":[{"b":1,"b":2}]},'],
  ])("that gives %s twice is refused", async (_, more) => {
    const { cwd, start } = userProject();
    const said = await start(["hook"], payload(cwd, "PreToolUse", more));
    expect([isRefused(said), `${said.stdout}${said.stderr}`]).toEqual([
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
    const { cwd, start } = userProject();
    const said = await start(["hook"], payload(cwd, event));
    expect([isRefused(said), said.stderr]).toEqual([true, expect.stringContaining("invalid_event")]);
  });

  it("of an event that is new, or looks like one that is no gate, passes", async () => {
    const { cwd, start } = userProject();
    for (const event of ["SomethingNew", "sessionend", "constructor"])
      expect(await start(["hook"], payload(cwd, event))).toMatchObject({ code: 0 });
  });

  it("may have a key twice in two objects, and in a text", async () => {
    const { cwd, start } = userProject();
    const more = `"a":{"b":1},"c":{"b":1,"d":"\\"b\\":1,\\"b\\":2"},`;
    expect(await start(["hook"], payload(cwd, "PreToolUse", more))).toMatchObject({ code: 0, stdout: "" });
  });
});
