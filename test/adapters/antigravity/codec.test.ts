import { describe, expect, it } from "vitest";
import type { NativePayload } from "../../../src/adapters/adapter.ts";
import { antigravity } from "../../../src/adapters/antigravity/antigravity.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { antigravityUnderstands } from "./understands.ts";

// The payloads are written by hand from Antigravity's documentation: the program can't be run here.
const { replyTo } = adapterSuite({
  adapter: antigravity,
  understands: antigravityUnderstands,
  unstoppable: [],
  folderOf: ({ workspacePaths }) => (Array.isArray(workspacePaths) ? workspacePaths[0] : undefined),
});

const COMMON: NativePayload = {
  conversationId: "c1",
  workspacePaths: ["/home/dev/app"],
  transcriptPath: "/home/dev/t.jsonl",
  modelName: "gemini-3-pro",
};
const call = (name: string, args: object): NativePayload => ({
  ...COMMON,
  stepIdx: 3,
  toolCall: { name, args },
});

describe("a payload of Antigravity, which names no event", () => {
  it.each([
    [call("run_command", { CommandLine: "ls" }), "PreToolUse"],
    [{ ...COMMON, stepIdx: 3 }, "PreToolUse"],
    [{ ...COMMON, invocationNum: 0 }, "antigravity:PreInvocation"],
    [{ ...COMMON, executionNum: 1 }, "Stop"],
    [{ ...COMMON, fullyIdle: true }, "Stop"],
    [COMMON, "SessionStart"],
  ])("%j is known by its fields as %s", (payload, event) => {
    expect(antigravity.decode(payload)).toMatchObject({
      hook_event_name: event,
      session_id: "c1",
      transcript_path: "/home/dev/t.jsonl",
    });
  });

  it("of a call has the tool and its input, that of an MCP server by the usual name", () => {
    expect(antigravity.decode(call("run_command", { CommandLine: "ls" }))).toMatchObject({
      tool_name: "run_command",
      tool_input: { CommandLine: "ls" },
    });
    const args = { ServerName: "github", ToolName: "push", Arguments: { force: true } };
    expect(antigravity.decode(call("call_mcp_tool", args))).toMatchObject({
      tool_name: "mcp__github__push",
      tool_input: { force: true },
    });
  });

  it("without a workspace belongs to the folder in which the hook runs", () => {
    expect(antigravity.decode({ ...COMMON, workspacePaths: [] }).cwd).toBe(process.cwd());
  });

  it("of a call is refused when it does not say which tool", async () => {
    await expect(replyTo({ ...COMMON, stepIdx: 3 })).rejects.toThrow("tool_name");
    expect(antigravity.refuse({ ...COMMON, stepIdx: 3 }, "No tool.")).toMatchObject({
      stdout: '{"decision":"deny","reason":"No tool."}',
    });
  });
});

describe("a reply to Antigravity", () => {
  const shell = call("run_command", { CommandLine: "ls" });

  it.each([
    { type: "ask", reason: "Sure?" },
    { type: "rewrite", next: { CommandLine: "ls -l" } },
    { type: "abort", reason: "Enough." },
  ])("refuses a call instead of $type", async (outcome) => {
    const { stdout, losses } = await replyTo(shell, outcome);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "deny" });
    expect(losses).toMatchObject([{ effect: outcome.type, became: "deny" }, { effect: "user_message" }]);
  });

  it("adds context before the model is asked, and keeps it going", async () => {
    const step = { type: "context", text: "Read the guide." };
    expect((await replyTo({ ...COMMON, invocationNum: 0 }, step)).stdout).toBe(
      '{"injectSteps":[{"ephemeralMessage":"Read the guide."}]}',
    );
    const stop = { type: "keep_going", reason: "Tests fail." };
    expect((await replyTo({ ...COMMON, executionNum: 1 }, stop)).stdout).toBe(
      '{"decision":"continue","reason":"Tests fail."}',
    );
  });
});
