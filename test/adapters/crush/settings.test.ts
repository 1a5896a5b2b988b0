import { describe, expect, it } from "vitest";
import { crushIntegration, crushSettings } from "../../../src/adapters/crush/integration.ts";
import { closedCommand, HOOK_COMMAND } from "../../../src/adapters/settings/agent-settings.ts";

const SHELL = { events: ["PreToolUse"], timeout: 30, tools: ["Bash", "Edit"] };
const PLACES = { root: "/home/dev/app", home: "/home/dev", environment: {} };

describe("the hooks in crush.json", () => {
  it("have seconds, an anchored matcher of its own tool names, and refuse when our program fails", () => {
    const { events } = crushSettings.wanted([SHELL]);
    const text = crushSettings.install(undefined, events);
    expect(JSON.parse(text ?? "")).toEqual({
      hooks: {
        PreToolUse: [
          { command: closedCommand(HOOK_COMMAND), timeout: 90, matcher: "^(?:bash|edit|multiedit)$" },
        ],
      },
    });
    expect(crushSettings.uninstall(text)).toBeUndefined();
  });

  it("are put in once, next to others, and taken out to the byte", () => {
    const before =
      '{\n    "lsp": { "go": { "command": "gopls" } },\n    "hooks": { "PreToolUse": [{ "command": "./mine.sh" }] }\n}\n';
    const { events } = crushSettings.wanted([SHELL]);
    const installed = crushSettings.install(before, events);
    expect(crushSettings.install(installed, events)).toBe(installed);
    expect(crushSettings.installed(installed)).toEqual(["PreToolUse"]);
    expect(crushSettings.drifted(installed, events)).toEqual([]);
    expect(crushSettings.uninstall(installed)).toBe(before);
  });

  it("are for every tool when a hook names tools of MCP servers, which have other names there", () => {
    const { events } = crushSettings.wanted([{ ...SHELL, tools: ["mcp__github__push"] }]);
    expect(events).toEqual([{ native: "PreToolUse", gate: true, timeout: 90 }]);
  });

  it("name the events that it never sends", () => {
    const events = ["UserPromptSubmit", "PostToolUse", "Stop", "PreToolUse"];
    expect(crushSettings.wanted([{ events, timeout: 5 }]).never_sent).toEqual(events.slice(0, 3));
  });

  it("are strict JSON, or Crush does not start", () => {
    expect(crushSettings.unread('{\n  // mine\n  "hooks": {}\n}')).toEqual({
      why: "Crush does not start with such settings: line 2 holds a comment",
      strippable: true,
    });
  });

  it("are in the project, or where Crush looks for the user's", () => {
    expect(crushIntegration.settingsFile("project", PLACES)).toBe("/home/dev/app/crush.json");
    expect(crushIntegration.settingsFile("user", PLACES)).toBe("/home/dev/.config/crush/crush.json");
    const moved = { ...PLACES, environment: { XDG_CONFIG_HOME: "/x", CRUSH_GLOBAL_CONFIG: "/c" } };
    expect(crushIntegration.settingsFile("user", moved)).toBe("/c/crush.json");
  });
});
