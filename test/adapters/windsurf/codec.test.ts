import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../../src/adapters/adapter.ts";
import { windsurf } from "../../../src/adapters/windsurf/windsurf.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { windsurfUnderstands } from "./understands.ts";

// The payloads are written by hand from Windsurf's documentation: the program can't be run here.
const { replyTo } = adapterSuite({
  adapter: windsurf,
  understands: windsurfUnderstands,
  unstoppable: ["PostToolUse"],
  eventKey: "agent_action_name",
  folderOf: () => process.cwd(),
});

const call = (agent_action_name: string, tool_info: unknown): NativePayload => ({
  agent_action_name,
  trajectory_id: "t1",
  execution_id: "e1",
  timestamp: "2026-11-16T06:00:00Z",
  tool_info,
});

describe("a payload of Windsurf", () => {
  const file_path = "/home/dev/app/a.ts";
  it.each([
    ["pre_run_command", { command_line: "ls", cwd: "/tmp" }, "Bash", { command: "ls", cwd: "/tmp" }],
    ["pre_read_code", { file_path }, "Read", { file_path }],
    [
      "pre_write_code",
      { file_path, edits: [{ old_string: "", new_string: "a" }] },
      "Write",
      { file_path, content: "a" },
    ],
    [
      "pre_write_code",
      { file_path, edits: [{ old_string: "a", new_string: "b" }] },
      "Edit",
      { file_path, old_string: "a", new_string: "b" },
    ],
    [
      "pre_mcp_tool_use",
      { mcp_server_name: "github", mcp_tool_name: "push", mcp_tool_arguments: { force: true } },
      "mcp__github__push",
      { force: true },
    ],
  ])("%s with %j is a call of %s", (event, info, tool_name, tool_input) => {
    expect(windsurf.decode(call(event, info))).toMatchObject({
      hook_event_name: "PreToolUse",
      session_id: "t1",
      turn_id: "e1",
      tool_name,
      tool_input,
    });
  });

  it("keeps every edit when there are several", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "", new_string: "c" },
    ];
    const { tool_name, tool_input } = windsurf.decode(call("pre_write_code", { file_path, edits }));
    expect([tool_name, tool_input]).toEqual(["Edit", { file_path, edits }]);
  });

  it("belongs to the workspace, where Windsurf starts hooks, not to the folder that a command names", () => {
    expect(windsurf.decode(call("pre_run_command", { command_line: "ls", cwd: "/tmp" })).cwd).toBe(
      process.cwd(),
    );
  });

  it("has the prompt, and the answer where it ends", () => {
    expect(windsurf.decode(call("pre_user_prompt", { user_prompt: "Go" }))).toMatchObject({
      hook_event_name: "UserPromptSubmit",
      prompt: "Go",
    });
    expect(windsurf.decode(call("post_cascade_response", { response: "Done." }))).toMatchObject({
      hook_event_name: "Stop",
      last_assistant_message: "Done.",
    });
  });
});

describe("a reply to Windsurf", () => {
  const command = call("pre_run_command", { command_line: "ls", cwd: "/tmp" });

  it("refuses with exit code 2 and the reason on stderr; the user reads messages on stdout", async () => {
    const message = { type: "user_message", text: "Look here.", level: "info" };
    expect(await replyTo(command, { type: "deny", reason: "No." }, message)).toEqual({
      stdout: "Look here.",
      stderr: "No.",
      exit_code: 2,
      losses: [],
    });
  });

  it.each([
    { type: "ask", reason: "Sure?" },
    { type: "rewrite", next: { command: "ls -l" } },
    { type: "abort", reason: "Enough." },
  ])("refuses instead of $type", async (outcome) => {
    const { exit_code, losses } = await replyTo(command, outcome);
    expect(exit_code).toBe(2);
    expect(losses).toMatchObject([{ effect: outcome.type, became: "deny" }]);
  });

  it("says that it can't keep it going", async () => {
    const stop = call("post_cascade_response", { response: "Done." });
    expect(await replyTo(stop, { type: "keep_going", reason: "Tests fail." })).toMatchObject({
      exit_code: 0,
      losses: [{ effect: "keep_going", became: "observe" }, { effect: "user_message" }],
    });
  });
});
