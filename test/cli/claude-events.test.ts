import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject } from "./support/project.ts";
import type { CliResult } from "./support/run-cli.ts";

/** A server that nobody runs. */
const AWAY = { type: "http", url: "http://127.0.0.1:1/" };

/** What is said to Claude Code about an event of its own on which one hook is asked, which replies so or is not there. */
async function resultOf(
  native: string,
  event: string,
  reply: object | undefined,
  fields: object = {},
): Promise<CliResult> {
  const project = newProject({ decidesHere: true });
  const hook = reply === undefined ? AWAY : (await hookServer(() => reply)).asks;
  await project.configure([{ name: "hook", ...hook, matcher: { events: [event] } }]);
  return project.hook({ hook_event_name: native, ...fields });
}

describe("tenterhook hook on an event that only Claude Code has", () => {
  it("refuses what a hook refuses on one of a later version, and what it fails on", async () => {
    const refusal = { action: "deny", reason: "Not that." };
    expect(await resultOf("PreFoo", "claude:PreFoo", refusal)).toEqual({
      code: 2,
      stdout: "",
      stderr: "Not that.\n",
    });
    expect((await resultOf("PreFoo", "claude:PreFoo", undefined)).code).toBe(2);
  });

  it("tenterhook hook keeps a teammate of Claude Code going", async () => {
    const refusal = { action: "deny", reason: "There is more." };
    expect(await resultOf("TeammateIdle", "claude:TeammateIdle", refusal)).toEqual({
      code: 2,
      stdout: "",
      stderr: "There is more.\n",
    });
  });

  it("says the path of a worktree, and nothing else", async () => {
    const create = (reply: object | undefined) => resultOf("WorktreeCreate", "claude:WorktreeCreate", reply);
    const path = { action: "answer", answer: "/trees/one" };
    expect(await create(path)).toEqual({ code: 0, stdout: "/trees/one", stderr: "" });
    expect(await create(undefined)).toMatchObject({ code: 2, stdout: "" });
  });

  it("is not confused by the name of the event", async () => {
    expect(await resultOf("__proto__", "PreToolUse", {})).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("tenterhook hook on an event of Claude Code", () => {
  it("appends what a hook says to the instructions of a compaction", async () => {
    const context = {
      hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "Keep the names." },
    };
    expect(await resultOf("PreCompact", "PreCompact", context, { trigger: "auto" })).toEqual({
      code: 0,
      stdout: "Keep the names.",
      stderr: "",
    });
  });

  it("gives another result the shape of the tool's own", async () => {
    const clean = { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "clean" } };
    const { stdout } = await resultOf("PostToolUse", "PostToolUse", clean, {
      tool_name: "Bash",
      tool_input: { command: "env" },
      tool_response: { stdout: "secret", stderr: "secret", interrupted: false },
    });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PostToolUse",
        updatedToolOutput: { stdout: "clean", stderr: "", interrupted: false },
      },
    });
  });
});
