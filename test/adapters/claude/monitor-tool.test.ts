import { describe, expect, it } from "vitest";
import { claude } from "../../../src/adapters/claude/claude.ts";
import { importClaude } from "../../../src/adapters/claude/import/import.ts";
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

  it("is asked about by an imported hook on Monitor, which says that it runs for Bash, too", () => {
    const hooks = { PreToolUse: [{ matcher: "Monitor", hooks: [{ type: "command", command: "guard.sh" }] }] };
    const [imported] = importClaude({ hooks, scriptsOf: () => [] }).hooks;
    expect(imported?.definition?.matcher).toEqual({ events: ["PreToolUse"], tools: ["Monitor", "Bash"] });
    expect(imported?.differences.join(" ").toLowerCase()).toContain(
      "a command of monitor is one of bash here, so the hook runs for bash, too.",
    );
  });
});
