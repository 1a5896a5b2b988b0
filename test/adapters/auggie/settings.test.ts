import { describe, expect, it } from "vitest";
import { auggieIntegration, auggieSettings } from "../../../src/adapters/auggie/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const SHELL = { events: ["PreToolUse"], timeout: 600, tools: ["Bash"] };
const COMMENTED = '{\n  // Mine.\n  "model": "sonnet", // Fast.\n}\n';
const places = { root: "/app", home: "/home/dev", environment: {} };

describe("the hooks in Auggie's settings", () => {
  it("have milliseconds, an anchored matcher for its own tools, and refuse when our program fails", () => {
    const { events } = auggieSettings.wanted([SHELL]);
    expect(JSON.parse(auggieSettings.install(undefined, events) ?? "")).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: "^(?:bash|launch-process|write-process)$",
            hooks: [
              {
                type: "command",
                command: hookCommand({ gate: true }, "goes on, has our reason"),
                timeout: 1_230_000,
              },
            ],
          },
        ],
      },
    });
  });

  it("are put in once, next to comments, and taken out to the byte", () => {
    const { events } = auggieSettings.wanted([SHELL, { events: ["Stop", "PostToolUse"], timeout: 10 }]);
    const installed = auggieSettings.install(COMMENTED, events);
    expect(auggieSettings.unread(installed)).toBeUndefined();
    expect(auggieSettings.install(installed, events)).toBe(installed);
    expect(auggieSettings.drifted(installed, events)).toEqual([]);
    expect(auggieSettings.entered(installed)).toMatchObject([
      { native: "PreToolUse", timeout: 1230 },
      { native: "PostToolUse", timeout: 60 },
      { native: "Stop", timeout: 60 },
    ]);
    expect(auggieSettings.uninstall(installed)).toBe(COMMENTED);
  });

  it.each([
    ["a tool of a server", ["Bash", "mcp__github__push"]],
    ["an expression", ["/^git/"]],
    ["a glob", ["web*"]],
  ])("are asked for every tool when one hook wants %s", (_what, tools) => {
    const { events } = auggieSettings.wanted([{ ...SHELL, tools }]);
    expect(events).toMatchObject([{ native: "PreToolUse" }]);
    expect(events[0]).not.toHaveProperty("matcher");
  });

  it("are asked for every tool when a hook is about changes: no expression fits the tools of servers", () => {
    const { events } = auggieSettings.wanted([{ events: ["PreToolUse"], timeout: 10, only_changes: true }]);
    expect(events[0]).not.toHaveProperty("matcher");
  });

  it("show when it waits for a human", () => {
    const { events } = auggieSettings.wanted([{ events: ["AgentPrompt"], timeout: 10 }]);
    expect(events).toMatchObject([
      { native: "PreToolUse", matcher: "^(?:ask-user|enter-plan-mode|exit-plan-mode)$" },
    ]);
  });

  const group = (more: object, hook: object = {}) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "x", ...hook }], ...more }] },
  });
  const ONE = "Auggie ignores all hooks on PreToolUse when one of them is wrong: hooks.PreToolUse";

  it.each([
    [group({ matcher: "*" }), `${ONE}.0.matcher must be a regular expression`],
    [group({ hooks: {} }), `${ONE}.0.hooks must be a list`],
    [group({}, { type: "http" }), `${ONE}.0.hooks.0.type must be command`],
    [group({}, { command: "" }), `${ONE}.0.hooks.0.command must be a string`],
    [group({}, { timeout: 0 }), `${ONE}.0.hooks.0.timeout must be a number above 0`],
    [group({}, { args: [1] }), `${ONE}.0.hooks.0.args must be a list of strings`],
    [{ hooks: { PreToolUse: {} } }, `${ONE} must be a list`],
    [{ hooks: [] }, "Auggie wants hooks to be an object"],
    [{ hooks: { stop: [] } }, "Auggie ignores all hooks of a file that has hooks on stop"],
  ])("are ignored when another one is wrong: %j", (settings, why) => {
    expect(auggieSettings.unread(JSON.stringify(settings))).toEqual({ why, strippable: false });
  });

  it("are in a file of the project, of the user, or of the user in the project", () => {
    expect(auggieIntegration.scopes.map((scope) => auggieIntegration.settingsFile(scope, places))).toEqual([
      "/app/.augment/settings.json",
      "/home/dev/.augment/settings.json",
      "/app/.augment/settings.local.json",
    ]);
  });
});
