import { describe, expect, it } from "vitest";
import { copilot } from "../../../src/adapters/copilot/copilot.ts";
import { adapterSuite } from "../support/adapter-suite.ts";
import { copilotUnderstands } from "./understands.ts";

adapterSuite({
  adapter: copilot,
  understands: copilotUnderstands,
  unstoppable: ["SubagentStart", "PreCompact"],
});

const COMMON = { sessionId: "s1", timestamp: 1_794_776_867_606, cwd: "/home/dev/app" };

describe("a payload of Copilot", () => {
  it.each([
    [{ toolName: "bash", toolArgs: { command: "ls" } }, "PreToolUse"],
    [{ toolName: "bash", toolInput: { command: "ls" }, permissionSuggestions: [] }, "PermissionRequest"],
    [{ toolName: "bash", toolArgs: {}, toolResult: { resultType: "success" } }, "PostToolUse"],
    [{ toolName: "view", toolArgs: {}, error: "no" }, "PostToolUseFailure"],
    [{ prompt: "go" }, "UserPromptSubmit"],
    [{ prompt: "go", transformedPrompt: "now go" }, "copilot:userPromptTransformed"],
    [{ source: "new", initialPrompt: "go" }, "SessionStart"],
    [{ reason: "complete" }, "SessionEnd"],
    [{ stopReason: "end_turn", stop_hook_active: false }, "Stop"],
    [{ stopReason: "end_turn", agentName: "general-purpose" }, "SubagentStop"],
    [{ agentName: "general-purpose", agentId: "a1" }, "SubagentStart"],
    [{ errorContext: "model_call", error: { message: "bad", name: "Error" } }, "Error"],
    [{ trigger: "auto", customInstructions: "" }, "PreCompact"],
    [{ serverName: "demo", toolName: "say", arguments: {}, toolCallId: "c1" }, "copilot:PreMcpToolCall"],
    [{ hook_event_name: "notification", message: "Done." }, "Notification"],
  ])("without a name is known by its fields: %j", (fields, event) => {
    expect(copilot.decode({ ...COMMON, ...fields }).hook_event_name).toBe(event);
  });

  it("is the same event in both dialects", () => {
    const input = { command: "ls" };
    const camel = { ...COMMON, toolName: "bash", toolArgs: input };
    const pascal = {
      hook_event_name: "PreToolUse",
      session_id: "s1",
      timestamp: "2026-11-15T21:11:33.080Z",
      cwd: "/home/dev/app",
      tool_name: "Bash",
      tool_input: input,
    };
    const expected = { hook_event_name: "PreToolUse", session_id: "s1", tool_input: input };
    expect(copilot.decode(camel)).toMatchObject({ ...expected, tool_name: "bash" });
    expect(copilot.decode(pascal)).toMatchObject({ ...expected, tool_name: "Bash" });
  });

  it.each([
    ["demo-say", "mcp__demo__say"],
    ["github-mcp-server-list_issues", "mcp__github-mcp-server__list_issues"],
    ["my-demo/say-it", "mcp__my-demo__say-it"],
    ["write_bash", "write_bash"],
  ])("calls the tool %s by the name %s", (toolName, name) => {
    expect(copilot.decode({ ...COMMON, toolName, toolArgs: {} }).tool_name).toBe(name);
  });

  it("that nothing names is refused as what it may be", () => {
    const reply = copilot.refuse({ ...COMMON, unheard: "of" }, "No.");
    expect(reply.exit_code).toBe(2);
    expect(JSON.parse(reply.stdout)).toMatchObject({ permissionDecision: "deny", behavior: "deny" });
  });
});
