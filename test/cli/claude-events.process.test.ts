import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";
import type { CliResult } from "./support/run-cli.ts";

/** What is said to Claude Code about an event of its own on which one command is asked. */
async function resultOf(
  native: string,
  event: string,
  command: string,
  fields: object = {},
): Promise<CliResult> {
  const project = newProject({ cached: true });
  await project.configure([{ name: "hook", type: "command", command, matcher: { events: [event] } }]);
  return project.hook({ hook_event_name: native, ...fields });
}

describe("tenterhook hook on an event that only Claude Code has", () => {
  it("refuses what a hook refuses on one of a later version, and what it fails on", async () => {
    expect(await resultOf("PreFoo", "claude:PreFoo", "echo 'Not that.' >&2; exit 2")).toEqual({
      code: 2,
      stdout: "",
      stderr: "Not that.\n",
    });
    expect((await resultOf("PreFoo", "claude:PreFoo", "exit 1")).code).toBe(2);
  });

  it("tenterhook hook keeps a teammate of Claude Code going", async () => {
    expect(
      await resultOf("TeammateIdle", "claude:TeammateIdle", "echo 'There is more.' >&2; exit 2"),
    ).toEqual({
      code: 2,
      stdout: "",
      stderr: "There is more.\n",
    });
  });

  it("says the path of a worktree, and nothing else", async () => {
    const create = (command: string) => resultOf("WorktreeCreate", "claude:WorktreeCreate", command);
    expect(await create("echo /trees/one")).toEqual({ code: 0, stdout: "/trees/one", stderr: "" });
    expect(await create("exit 1")).toMatchObject({ code: 2, stdout: "" });
  });

  it("is not confused by the name of the event", async () => {
    expect(await resultOf("__proto__", "PreToolUse", "true")).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("tenterhook hook on an event of Claude Code", () => {
  it("appends what a hook prints to the instructions of a compaction", async () => {
    expect(await resultOf("PreCompact", "PreCompact", "echo 'Keep the names.'", { trigger: "auto" })).toEqual(
      {
        code: 0,
        stdout: "Keep the names.",
        stderr: "",
      },
    );
  });

  it("gives another result the shape of the tool's own", async () => {
    const command = `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"clean"}}'`;
    const { stdout } = await resultOf("PostToolUse", "PostToolUse", command, {
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
