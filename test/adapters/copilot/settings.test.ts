import { describe, expect, it } from "vitest";
import { copilotSettings } from "../../../src/adapters/copilot/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const HOOKS = [
  { events: ["PreToolUse"], timeout: 30, tools: ["Bash"] },
  { events: ["Stop"], timeout: 5 },
];
const EVENTS = copilotSettings.wanted(HOOKS).events;

describe("Copilot's hooks file", () => {
  it("has a flat list for each event, in the dialect that names events", () => {
    expect(JSON.parse(copilotSettings.install(undefined, EVENTS) ?? "")).toEqual({
      hooks: {
        PreToolUse: [
          {
            type: "command",
            command: hookCommand({ gate: true }, "refuses, reads stdout"),
            timeoutSec: 90,
            matcher: "Bash|bash|powershell",
          },
        ],
        Stop: [{ type: "command", command: hookCommand({ gate: false }), timeoutSec: 40 }],
      },
      version: 1,
    });
  });

  it.each([
    undefined,
    '{\n  "version": 1,\n  "hooks": {\n    "preToolUse": [{ "type": "command", "bash": "./a.sh" }]\n  }\n}\n',
  ])("is as it was after install and uninstall: %j", (text) => {
    const installed = copilotSettings.install(text, EVENTS);
    expect(copilotSettings.install(installed, EVENTS)).toBe(installed);
    expect(copilotSettings.uninstall(installed)).toBe(text);
  });

  it("calls us for all tools when a hook wants all that change something: it has no way to say all but", () => {
    const [event] = copilotSettings.wanted([
      { events: ["PreToolUse"], timeout: 5, only_changes: true },
    ]).events;
    expect(event).toEqual({ native: "PreToolUse", gate: true, timeout: 40 });
  });
});
