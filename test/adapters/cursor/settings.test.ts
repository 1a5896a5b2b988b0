import { describe, expect, it } from "vitest";
import { cursorSettings } from "../../../src/adapters/cursor/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const GUARD = { events: ["PreToolUse"], timeout: 30 };
const natives = (hooks: Parameters<typeof cursorSettings.wanted>[0]) =>
  cursorSettings.wanted(hooks).events.map(({ native }) => native);

describe("the events Cursor is asked for", () => {
  it("are those that hooks need, for the tools by Cursor's names", () => {
    const hooks = [
      { ...GUARD, tools: ["Bash", "Edit"] },
      { events: ["Stop"], timeout: 400 },
    ];
    expect(cursorSettings.wanted(hooks).events).toEqual([
      { native: "preToolUse", gate: true, timeout: 90, matcher: "^(?:Shell|Write)$", of_hooks: true },
      { native: "stop", gate: false, timeout: 830 },
    ]);
  });

  it("include the one that names the server, when a hook may be about tools of MCP servers", () => {
    const both = ["preToolUse", "beforeMCPExecution"];
    expect(natives([GUARD])).toEqual(both);
    expect(natives([{ ...GUARD, tools: ["mcp__github__delete_repo"] }])).toEqual(both);
    expect(natives([{ ...GUARD, only_changes: true }])).toEqual(both);
    expect(natives([{ ...GUARD, tools: ["Bash"] }])).toEqual(["preToolUse"]);
  });
});

const EVENTS = cursorSettings.wanted([
  { ...GUARD, tools: ["Bash"] },
  { events: ["Stop"], timeout: 5 },
]).events;

describe("Cursor's hooks.json", () => {
  it("refuses when we fail, and leaves the number of continuations to us", () => {
    expect(JSON.parse(cursorSettings.install(undefined, EVENTS) ?? "")).toEqual({
      hooks: {
        preToolUse: [
          { command: hookCommand({ gate: true }), timeout: 90, failClosed: true, matcher: "^(?:Shell)$" },
        ],
        stop: [{ command: hookCommand({ gate: false }), timeout: 60, loop_limit: null }],
      },
      version: 1,
    });
  });

  it.each([
    undefined,
    '{ "version": 1, "hooks": {} }\n',
    '{\n  "version": 1\n}\n',
    '{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "./done.sh" }] // mine\n  }\n}\n',
    '{\r\n\t"version": 1,\r\n\t"hooks": {\r\n\t\t"preToolUse": [\r\n\t\t\t{ "command": "a" }\r\n\t\t]\r\n\t}\r\n}',
  ])("is as it was after install and uninstall: %j", (text) => {
    const installed = cursorSettings.install(text, EVENTS);
    expect(cursorSettings.unread(installed)).toBeUndefined();
    expect(cursorSettings.installed(installed).toSorted()).toEqual(["preToolUse", "stop"]);
    expect(cursorSettings.install(installed, EVENTS)).toBe(installed);
    expect(cursorSettings.drifted(installed, EVENTS)).toEqual([]);
    expect(cursorSettings.uninstall(installed)).toBe(text);
  });

  it("stays when somebody has added a hook to the file that we made", () => {
    const installed = cursorSettings.install(undefined, EVENTS) ?? "";
    const added = installed.replace('"stop": [', '"stop": [{ "command": "./mine.sh" }, ');
    expect(JSON.parse(cursorSettings.uninstall(added) ?? "")).toEqual({
      hooks: { stop: [{ command: "./mine.sh" }] },
      version: 1,
    });
  });

  it("can be written again for other events", () => {
    const installed = cursorSettings.install(undefined, EVENTS);
    const [first] = EVENTS;
    if (first === undefined) throw new Error("There is one.");
    const fewer = cursorSettings.install(installed, [{ ...first, timeout: 120 }]);
    expect(JSON.parse(fewer ?? "")).toMatchObject({ hooks: { preToolUse: [{ timeout: 120 }] }, version: 1 });
    expect(cursorSettings.install(fewer, [])).toBeUndefined();
  });

  it("has an entry that drifted when somebody took failClosed out", () => {
    const installed = cursorSettings.install(undefined, EVENTS)?.replace('"failClosed": true,', "");
    expect(cursorSettings.drifted(installed, EVENTS)).toEqual([
      { native: "preToolUse", gate: true, narrow: false, different: ["failClosed"] },
    ]);
  });

  it.each([
    ['{ "hooks": {} }', "version must be a whole number from 1"],
    ['{ "version": 1, "hooks": { "PreToolUse": [] } }', "it has no event PreToolUse"],
    [
      '{ "version": 1, "hooks": { "stop": [{ "command": "a", "matcher": "(" }] } }',
      "hooks.stop.0.matcher must be a regular expression",
    ],
    [
      '{ "version": 1, "hooks": { "stop": [{ "command": "a", "timeout": 0 }] } }',
      "hooks.stop.0.timeout must be a number above 0",
    ],
    [
      '{\n"version": 1,\n"hooks": { "stop": [{ "command": "curl https://example.com" }] }\n}',
      "inside strings too, and line 3 has one",
    ],
    ['{ "version": 1, "hooks": {}, }', "without commas before closing brackets"],
  ])("is ignored by Cursor as a whole: %s", (text, why) => {
    expect(cursorSettings.unread(text)?.why).toContain(why);
  });

  it("is read with comments", () => {
    const text = '{\n  // mine\n  "version": 1, /* all */\n  "hooks": {}\n}';
    expect(cursorSettings.unread(text)).toBeUndefined();
  });
});
