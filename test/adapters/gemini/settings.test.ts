import { describe, expect, it } from "vitest";
import { geminiIntegration, geminiSettings } from "../../../src/adapters/gemini/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const SHELL = { events: ["PreToolUse"], timeout: 30, tools: ["Bash", "Edit"] };

const COMMENTED = `{
  // Mine.
  "ui": { "theme": "Dark" },
  "hooks": {
    "BeforeTool": [{ "matcher": "write_file", "hooks": [{ "type": "command", "command": "./mine.sh" }] }]
  }
}
`;

describe("the hooks in Gemini CLI's settings", () => {
  it("have milliseconds, an anchored matcher of its own tool names, and refuse when our program fails", () => {
    const { events } = geminiSettings.wanted([SHELL, { events: ["Stop"], timeout: 400 }]);
    expect(JSON.parse(geminiSettings.install(undefined, events) ?? "")).toEqual({
      hooks: {
        AfterAgent: [
          { hooks: [{ type: "command", command: hookCommand({ gate: false }), timeout: 830_000 }] },
        ],
        BeforeTool: [
          {
            matcher: "^(?:replace|run_shell_command)$",
            hooks: [{ type: "command", command: hookCommand({ gate: true }, "goes on"), timeout: 90_000 }],
          },
        ],
      },
    });
  });

  it("are put in once, next to others and comments, and taken out to the byte", () => {
    const { events } = geminiSettings.wanted([SHELL]);
    const installed = geminiSettings.install(COMMENTED, events);
    expect(installed).toContain("// Mine.");
    expect(geminiSettings.install(installed, events)).toBe(installed);
    expect(geminiSettings.installed(installed)).toEqual(["BeforeTool"]);
    expect(geminiSettings.drifted(installed, events)).toEqual([]);
    expect(geminiSettings.uninstall(installed)).toBe(COMMENTED);
  });

  it("are for every tool when a hook names tools of MCP servers, which have other names there", () => {
    const { events } = geminiSettings.wanted([{ ...SHELL, tools: ["mcp__github__push"] }]);
    expect(events).toEqual([{ native: "BeforeTool", gate: true, timeout: 90 }]);
  });

  it("show that it waits for a human", () => {
    expect(geminiSettings.wanted([{ events: ["AgentPrompt"], timeout: 5 }]).events).toMatchObject([
      { native: "BeforeTool", gate: false, matcher: "ask_user|enter_plan_mode|exit_plan_mode" },
      { native: "Notification", gate: false },
    ]);
  });

  it("name the events that it never sends", () => {
    const events = ["PermissionRequest", "PostToolUseFailure", "SubagentStop", "Stop"];
    expect(geminiSettings.wanted([{ events, timeout: 5 }]).never_sent).toEqual(events.slice(0, 3));
  });
});

describe("settings with which Gemini CLI runs no hooks", () => {
  it.each([
    ['{ "hooksConfig": { "enabled": false } }', "hooksConfig.enabled is false there"],
    ['{ "hooksConfig": { "disabled": ["tenterhook hook"] } }', "hooksConfig.disabled has our command there"],
    ['{ "hooksConfig": { "disabled": ["mine"] } }', undefined],
    ["{}", undefined],
  ])("%s", (text, why) => {
    expect(geminiIntegration.switchedOff?.(text)).toBe(why);
  });

  it("are not those with comments, but those with a comma too many, with which it does not start", () => {
    expect(geminiSettings.unread(COMMENTED)).toBeUndefined();
    expect(geminiSettings.unread('{\n "ui": {},\n}')).toEqual({
      why: "Gemini CLI does not start with such settings: line 2 holds a comma before a closing bracket",
      strippable: true,
    });
  });
});
