import { describe, expect, it } from "vitest";
import {
  antigravityIntegration,
  antigravitySettings,
} from "../../../src/adapters/antigravity/integration.ts";

const PLACES = { root: "/home/dev/app", home: "/home/dev", environment: {} };
const HOOKS = [
  { events: ["PreToolUse"], timeout: 30, tools: ["Bash", "Edit"] },
  { events: ["Stop"], timeout: 5 },
];

describe("Antigravity's hooks.json", () => {
  it("has our entries under our name: groups for tools, plain lists for other events", () => {
    const text = antigravitySettings.install(undefined, antigravitySettings.wanted(HOOKS).events);
    expect(JSON.parse(text ?? "")).toEqual({
      tenterhook: {
        PreToolUse: [
          {
            matcher: "^(?:multi_replace_file_content|replace_file_content|run_command)$",
            hooks: [{ type: "command", command: "tenterhook hook", timeout: 90 }],
          },
        ],
        Stop: [{ type: "command", command: "tenterhook hook", timeout: 60 }],
      },
    });
    expect(antigravitySettings.installed(text).toSorted()).toEqual(["PreToolUse", "Stop"]);
    expect(antigravitySettings.uninstall(text)).toBeUndefined();
  });

  it("is put in once, next to others, and taken out to the byte", () => {
    const before = '{ "mine": { "Stop": [{ "type": "command", "command": "./mine.sh" }] } }\n';
    const { events } = antigravitySettings.wanted(HOOKS);
    const installed = antigravitySettings.install(before, events);
    expect(antigravitySettings.install(installed, events)).toBe(installed);
    expect(antigravitySettings.drifted(installed, events)).toEqual([]);
    expect(antigravitySettings.uninstall(installed)).toBe(before);
  });

  it("does not call us after a call: such a payload looks like one before it", () => {
    const events = ["PostToolUse", "UserPromptSubmit", "SessionStart"];
    expect(antigravitySettings.wanted([{ events, timeout: 5 }])).toMatchObject({
      events: [{ native: "SessionStart" }],
      never_sent: ["PostToolUse", "UserPromptSubmit"],
    });
  });

  it("is strict JSON, or Antigravity drops all of it", () => {
    expect(antigravitySettings.unread('{ // mine\n "mine": {} }')).toEqual({
      why: "Antigravity CLI drops all hooks of such a file without a word: line 1 holds a comment",
      strippable: true,
    });
  });

  it("can switch our hooks off", () => {
    expect(antigravityIntegration.switchedOff?.('{ "tenterhook": { "enabled": false } }')).toBe(
      "tenterhook.enabled is false there",
    );
    expect(antigravityIntegration.switchedOff?.('{ "mine": { "enabled": false } }')).toBeUndefined();
  });

  it("is the user's, or in the project", () => {
    expect(antigravityIntegration.scopes).toEqual(["user", "project"]);
    expect(antigravityIntegration.settingsFile("user", PLACES)).toBe("/home/dev/.gemini/config/hooks.json");
    expect(antigravityIntegration.settingsFile("project", PLACES)).toBe("/home/dev/app/.agents/hooks.json");
  });
});
