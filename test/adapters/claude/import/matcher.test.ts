import { createHooks } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { type Call, HOLD, HOLD_NOT } from "./conditions.ts";
import { command, definitionsIn, differencesIn, importOne } from "./support.ts";

const sh = (line: string): Call => ["Bash", { command: line }];
const file = (tool: string, path: string): Call => [tool, { file_path: path }];

/** True when a hook that was imported with this matcher and condition is asked about a call. */
async function isAsked(
  matcher: string | undefined,
  condition: string | undefined,
  call: Call,
): Promise<boolean> {
  const handler = command(condition === undefined ? {} : { if: condition });
  const hooks = createHooks();
  let asked = false;
  for (const { matcher: given } of definitionsIn(importOne("PreToolUse", matcher, handler))) {
    const { events, ...rest } = Object(given);
    const run = () => {
      asked = true;
    };
    internals(hooks).register(events, { name: "it", matcher: rest }, { type: "test", run });
  }
  const [tool_name, tool_input] = call;
  await hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/project",
    tool_name,
    tool_input,
  });
  return asked;
}

it("says that events of other agents have no matcher in Claude Code", () => {
  expect(differencesIn(importOne("PreCompress", "auto", command()))).toContainEqual(
    expect.stringMatching(/PreCompress has no matcher there; "auto" was left out\.$/),
  );
});

it.each(HOLD)("the condition %s holds, as in Claude Code, for %j", async (condition, call) => {
  expect(await isAsked(undefined, condition, call)).toBe(true);
});

it.each(HOLD_NOT)("the condition %s does not hold, as in Claude Code, for %j", async (condition, call) => {
  expect(await isAsked(undefined, condition, call)).toBe(false);
});

describe("a condition that can't be carried over makes the hook run for more calls, and is reported", () => {
  it.each([
    ["Bash(git push:*", sh("ls"), 'Its condition "Bash(git push:*" can\'t be read: here it runs without it.'],
    ["Edit|Write", sh("ls"), 'Its condition "Edit|Write" can\'t be read: here it runs without it.'],
    [
      "Skill(deploy)",
      ["Skill", { skill: "other" }] as const,
      'Its condition "Skill(deploy)" is read as Skill alone.',
    ],
  ])("%s", async (condition, call, difference) => {
    expect(await isAsked(undefined, condition, call)).toBe(true);
    const imported = importOne("PreToolUse", undefined, command({ if: condition }));
    expect(differencesIn(imported)).toEqual([`x: ${difference}`]);
  });
});

describe("a matcher means what it means in Claude Code", () => {
  it.each([
    ["Bash", "Bash", true],
    ["Bash, Read", "Read", true],
    ["Bas", "Bash", false],
    ["bash", "Bash", false],
    ["Ba.*", "Bash", true],
    ["^Bash$", "Bash", true],
    ["wri.*", "Write", false],
    ["[Ww]rite", "TodoWrite", true],
    ["Task", "Agent", true],
    ["MultiEdit", "Edit", false],
    ["mcp__eli__.*", "mcp__eli__read", true],
    ["mcp__eli", "mcp__eli__read", false],
    ["^(?!Bash|mcp__).*", "Write", true],
    ["^(?!Bash|mcp__).*", "mcp__eli__read", false],
    ["^(?!Bash$)", "BashOutput", true],
    ["(Edit|Write)", "NotebookEdit", true],
    ["^(Edit|Write)$", "NotebookEdit", false],
    ["^Edit|Write$", "TodoWrite", true],
    ["^Edit|Write$", "NotebookEdit", false],
    ["Bash(git push:*)", "Bash", false],
    ["*", "Bash", true],
    ["", "Bash", true],
  ])("%s and the tool %s: %s", async (matcher, tool, expected) => {
    expect(await isAsked(matcher, undefined, [tool, {}])).toBe(expected);
  });

  it.each([
    ["Bash|Write", "Bash(ls)", sh("ls"), true],
    ["Ba.*", "Bash(ls)", sh("ls"), true],
    ["Bash|Write", "Bash(ls)", file("Write", "ls"), false],
    ["(?=Bash)Bash", "Bash(ls)", sh("ls"), true],
  ])("%s with the condition %s and %j: %s", async (matcher, condition, call, expected) => {
    expect(await isAsked(matcher, condition, call)).toBe(expected);
  });

  it.each(["(?=Bash).*", "(Bash)\\1"])(
    "an expression that our engine does not run makes the hook run for every tool: %s",
    async (matcher) => {
      expect(await isAsked(matcher, undefined, ["Read", {}])).toBe(true);
      expect(differencesIn(importOne("PreToolUse", matcher, command()))).toEqual([
        `x: Its matcher ${JSON.stringify(matcher)} has an expression that is not supported: here it runs for every tool.`,
      ]);
    },
  );

  it.each([
    [".*", {}],
    ["^Bash$", { tools: ["Bash"] }],
    ["^(Bash|Edit)$", { tools: ["Bash", "Edit"] }],
    ["Edit.*|Write", { tools: ["*Edit*", "*Write*"] }],
    ["(?:Edit|Write)", { tools: ["*Edit*", "*Write*"] }],
    ["mcp__.*", { tools: ["mcp__*"] }],
    ["mcp__(a|b)__.*", { tools: "/mcp__(a|b)__.*/" }],
  ])("the expression %s is written as names and globs where they say the same", (matcher, fields) => {
    const imported = importOne("PreToolUse", matcher, command());
    expect(definitionsIn(imported).map((one) => one.matcher)).toEqual([
      { events: ["PreToolUse"], ...fields },
    ]);
  });

  it.each([
    ["PreToolUse", "["],
    ["PreToolUse", "Bash("],
    ["SessionStart", "*"],
    ["SessionStart", "+startup"],
  ])("%s: what is no regular expression never ran there, and is skipped: %s", (event, matcher) => {
    const imported = importOne(event, matcher, command());
    expect(definitionsIn(imported).length).toBe(matcher === "*" ? 1 : 0);
    expect(differencesIn(imported).map((line) => line.replace(/^[^:]+: /, ""))).toEqual(
      matcher === "*"
        ? []
        : [
            `Its matcher ${JSON.stringify(matcher)} is no regular expression, so Claude Code never runs it; the hook was skipped.`,
          ],
    );
  });

  it("a permission rule in place of a matcher fits other tools at most, and is reported", async () => {
    const matcher = "Bash(git push:*)";
    expect(differencesIn(importOne("PreToolUse", matcher, command()))).toEqual([
      'x: Its matcher "Bash(git push:*)" is a regular expression that fits no tool of Claude Code itself: it ran, and runs here, only for other tools with a name that fits.',
    ]);
    expect(await isAsked(matcher, undefined, ["Bash", { command: "git push" }])).toBe(false);
    expect(await isAsked(matcher, undefined, ["Bashgit push:", {}])).toBe(true);
  });

  it("a name that Claude Code does not have stays, and is reported", () => {
    const imported = importOne("PreToolUse", "Bash|bash", command());
    expect(definitionsIn(imported).map(({ matcher }) => matcher)).toEqual([
      { events: ["PreToolUse"], tools: ["Bash"] },
    ]);
    expect(differencesIn(imported)).toEqual([
      "x: Claude Code has no tool bash, so it never ran for it, and does not here.",
    ]);
    expect(definitionsIn(importOne("PreToolUse", "bash", command())).map(({ matcher }) => matcher)).toEqual([
      { events: ["PreToolUse"], when: { field: "tool_name", operator: "in", value: ["bash"] } },
    ]);
  });

  it("the files that Claude Code is to watch stay in the matcher", () => {
    const imported = importOne("FileChanged", ".envrc|.env", command());
    expect(definitionsIn(imported).map(({ matcher }) => matcher)).toEqual([
      { events: ["claude:FileChanged"], path_patterns: [".envrc", ".env"] },
    ]);
  });
});
