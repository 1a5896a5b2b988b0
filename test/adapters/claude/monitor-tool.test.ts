import { describe, expect, it } from "vitest";
import { claude } from "../../../src/adapters/claude/claude.ts";
import { claudeSettings } from "../../../src/adapters/claude/integration.ts";
import { readShell, toolOf } from "../../../src/rules/fields/shell-text.ts";

const call = (tool_input: object) =>
  claude.decode({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/app",
    tool_name: "Monitor",
    tool_input: { description: "Watch", timeout_ms: 1000, ...tool_input },
  });

describe("a Monitor task of Claude Code", () => {
  it("that runs a command is judged as one of the shell", () => {
    const event = call({ command: "touch made" });
    expect([toolOf(event), readShell(event).texts]).toEqual(["Bash", ["touch made"]]);
  });

  it("that listens to a socket is not", () => {
    expect(toolOf(call({ ws: { url: "wss://example.com" } }))).toBe("Monitor");
  });

  it("is asked about where hooks want Bash alone", () => {
    const { events } = claudeSettings.wanted([{ events: ["PreToolUse"], timeout: 5, tools: ["Bash"] }]);
    expect(events.map(({ matcher }) => matcher)).toEqual(["Bash|Monitor|PowerShell"]);
  });
});
