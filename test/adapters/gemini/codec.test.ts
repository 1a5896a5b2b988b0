import { describe, expect, it } from "vitest";
import { gemini } from "../../../src/adapters/gemini/gemini.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { geminiUnderstands } from "./understands.ts";

const { recorded, replyTo } = adapterSuite({
  adapter: gemini,
  understands: geminiUnderstands,
  unstoppable: ["PreCompact"],
});

describe("the reply to a call", () => {
  const call = recorded("BeforeTool");

  it("refuses it with the reason", async () => {
    const { stdout } = await replyTo(call, { type: "deny", reason: "Not here." });
    expect(stdout).toBe('{"decision":"deny","reason":"Not here."}');
  });

  it("refuses it when somebody would have to be asked", async () => {
    const { stdout, losses } = await replyTo(call, { type: "ask", reason: "Sure?" });
    expect(losses).toMatchObject([{ effect: "ask", became: "deny" }]);
    expect(JSON.parse(stdout)).toMatchObject({
      decision: "deny",
      reason: "Needs your OK, and Gemini CLI can't ask, so it is refused. Sure? [hook]",
    });
  });

  it("has the whole input when a hook changed a part of it", async () => {
    const next = { command: "ls", description: "say hello" };
    expect(JSON.parse((await replyTo(call, { type: "rewrite", next })).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: next },
    });
  });

  it("leaves a call that a hook allows to its own permissions, without a word to the user", async () => {
    const { stdout, losses } = await replyTo(call, { type: "allow", reason: "Fine." });
    expect([stdout, losses.map(({ effect }) => effect)]).toEqual(["", ["allow"]]);
  });
});

describe("the reply to a result", () => {
  const result = recorded("AfterTool");

  it("puts another text in its place, together with context, which would be lost", async () => {
    const { stdout } = await replyTo(
      result,
      { type: "rewrite", next: "withheld" },
      { type: "context", text: "Ask the user." },
    );
    expect(JSON.parse(stdout)).toMatchObject({ decision: "deny", reason: "withheld\n\nAsk the user." });
  });
});

describe("the reply to a prompt", () => {
  it("shows the reason of a refusal with the messages, of which it shows nothing else", async () => {
    const { stdout } = await replyTo(
      recorded("BeforeAgent"),
      { type: "deny", reason: "Not that." },
      { type: "user_message", text: "Counted.", level: "info" },
    );
    expect(JSON.parse(stdout)).toEqual({
      decision: "deny",
      reason: "Not that.",
      systemMessage: "Not that.\nCounted.",
    });
  });
});

describe("the reply to a request", () => {
  it("has only what changed", async () => {
    const payload = recorded("BeforeModel");
    const next = { ...Object(payload.llm_request), model: "gemini-2.5-pro" };
    const { stdout } = await replyTo(payload, { type: "rewrite", next });
    expect(JSON.parse(stdout).hookSpecificOutput.llm_request).toEqual({ model: "gemini-2.5-pro" });
  });
});

describe("an event", () => {
  it("names the tool of an MCP server as everywhere", () => {
    const mcp_context = { server_name: "my_server", tool_name: "read_it" };
    const payload = { ...recorded("BeforeTool"), tool_name: "mcp_my_server_read_it", mcp_context };
    expect(gemini.decode(payload).tool_name).toBe("mcp__my_server__read_it");
  });

  it("does not say that a stop is the first of its turn, since Gemini CLI forgets that when a tool was called", () => {
    expect(gemini.decode(recorded("AfterAgent")).stop_hook_active).toBeUndefined();
    expect(gemini.decode({ ...recorded("AfterAgent"), stop_hook_active: true }).stop_hook_active).toBe(true);
  });

  it("shows that a human is asked for a permission", () => {
    const payload = { ...recorded("SessionEnd"), hook_event_name: "Notification" };
    expect(
      gemini.decode({ ...payload, notification_type: "ToolPermission", message: "Tool Shell" }),
    ).toMatchObject({ notification_type: "permission_prompt", message: "Tool Shell" });
  });

  it.each([
    [
      { type: "exec", title: "Shell", command: "rm -r build", rootCommand: "rm" },
      "run_shell_command: rm -r build",
    ],
    [{ type: "edit", filePath: "/app/a.txt", fileDiff: "-a\n+b" }, "/app/a.txt\n-a\n+b"],
    [{ type: "mcp", serverName: "notes", toolName: "read" }, "notes: read"],
    [{ type: "info", prompt: "Fetch https://example.com" }, "Fetch https://example.com"],
    [{ type: "other" }, "Tool Shell requires execution"],
  ])("shows what a permission is asked for: %o", (details, message) => {
    const payload = { ...recorded("SessionEnd"), hook_event_name: "Notification" };
    const asks = { notification_type: "ToolPermission", message: "Tool Shell requires execution", details };
    expect(gemini.decode({ ...payload, ...asks }).message).toBe(message);
  });
});
