import { describe, expect, it } from "vitest";
import { claudeSettings } from "../../../src/adapters/claude/integration.ts";
import { ODD_SETTINGS, WRONG_SETTINGS } from "./wrong-settings.ts";

const WHY = "Claude Code ignores a file with an invalid setting, and";

describe("settings that Claude Code can't load", () => {
  it.each(WRONG_SETTINGS)("are reported with the line: $what", ({ settings, problem }) => {
    expect(claudeSettings.unread(JSON.stringify(settings))).toEqual({
      why: `${WHY} line 1 has one: ${problem}`,
      strippable: false,
    });
  });

  it("are reported at the line of the setting; what is missing, at the line of the hook", () => {
    const [first, second] = [{ type: "command" }, { type: "command", command: "a", timeout: "5" }].map(
      (handler) => JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }, null, 2),
    );
    expect([claudeSettings.unread(first)?.why, claudeSettings.unread(second)?.why]).toEqual([
      `${WHY} line 6 has one: hooks.PreToolUse.0.hooks.0.command must be a string`,
      `${WHY} line 9 has one: hooks.PreToolUse.0.hooks.0.timeout must be a number above 0`,
    ]);
  });

  it.each(ODD_SETTINGS.map((settings) => JSON.stringify(settings)))(
    "settings that Claude Code can load are not called broken: %s",
    (settings) => {
      expect(claudeSettings.unread(settings)).toBeUndefined();
    },
  );

  it("settings we have written are settings that Claude Code can load", () => {
    const { events } = claudeSettings.wanted([{ events: ["PreToolUse", "PermissionRequest"], timeout: 5 }]);
    expect(claudeSettings.unread(claudeSettings.install(undefined, events))).toBeUndefined();
  });
});
