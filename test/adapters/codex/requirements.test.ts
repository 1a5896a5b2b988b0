import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { codexIntegration } from "../../../src/adapters/codex/integration.ts";
import type { AgentSettings } from "../../../src/adapters/settings/agent-settings.ts";
import { thrown } from "../../support/thrown.ts";

const settings = codexIntegration.managed?.settings as AgentSettings;
const { events } = settings.wanted([{ events: ["PreToolUse", "Stop"], timeout: 5 }]);
const written = settings.install(undefined, events) ?? "";

describe("the requirements of Codex", () => {
  it("get hooks that Codex reads, and the switch that no user can turn", () => {
    expect(parse(written)).toMatchObject({
      features: { hooks: true },
      hooks: {
        PreToolUse: [{ hooks: [{ type: "command", command: expect.stringMatching(/ tenterhook hook$/) }] }],
        Stop: [{ hooks: [{ type: "command" }] }],
      },
    });
    expect([settings.installed(written), settings.drifted(written, events)]).toEqual([
      events.map(({ native }) => native),
      [],
    ]);
    expect(settings.uninstall(written)).toBeUndefined();
  });

  it.each([
    ["with a line end", 'allowed_sandbox_modes = ["read-only"]\n'],
    ["without one", 'allowed_sandbox_modes = ["read-only"]'],
    [
      "with hooks of others",
      '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "scan"\n',
    ],
    ["with the switch", "[features]\nhooks = true\n"],
  ])("keep what others wrote, %s, to the byte", (_, others) => {
    const both = settings.install(others, events) ?? "";
    expect(both.startsWith(others)).toBe(true);
    expect(parse(both)).toMatchObject({ ...parse(others), hooks: {}, features: { hooks: true } });
    expect(settings.install(both, events)).toBe(both);
    expect(settings.uninstall(both)).toBe(others);
    const more = `${both}\n[rules]\nprefix_rules = []\n`;
    expect(settings.uninstall(more)).toBe(`${others}\n[rules]\nprefix_rules = []\n`);
  });

  it("are of no use while a user may switch hooks off", () => {
    const both = settings.install("[features]\nplugins = false\n", events);
    expect(settings.unread(both)?.why).toBe(
      "[features] has no hooks = true, so every user can switch hooks off",
    );
    expect(settings.unread(written)).toBeUndefined();
  });

  it("are not touched when they can't be read, or when the end of our lines is missing", () => {
    expect(thrown(() => settings.install("hooks = 7\n", events))).toEqual([
      "settings_unreadable",
      expect.stringMatching(/^Line /),
    ]);
    expect(thrown(() => settings.uninstall(written.replace(/# The end.*\n/, "")))).toEqual([
      "settings_unreadable",
      "Line 1: the comment behind Tenterhook's lines is missing.",
    ]);
  });

  it("that somebody changed are found", () => {
    const changed = written.replace('command = "sh -c', 'command = "true || sh -c');
    expect(settings.drifted(changed, events)).toMatchObject([
      { native: "PreToolUse", gate: true },
      { native: "Stop" },
    ]);
    expect(settings.install(changed, events)).toBe(written);
  });
});
