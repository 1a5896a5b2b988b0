import { describe, expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import type { HookInForce } from "../../../src/adapters/settings/agent-settings.ts";
import type { AgentName } from "../../../src/core/events/agent-names.ts";

const hook = (events: readonly string[], more: Partial<HookInForce> = {}): HookInForce => ({
  events,
  timeout: 30,
  ...more,
});
/** The agents whose settings contain a plug-in of ours, which the build makes. */
export const WITH_PLUGIN: readonly AgentName[] = ["opencode", "kilo", "pi"];

const CONFIGURATIONS: Readonly<Record<string, readonly HookInForce[]>> = {
  "one guard": [hook(["PreToolUse"], { tools: ["Bash"] })],
  "guards of several tools": [
    hook(["PreToolUse"], { tools: ["Edit", "Write"] }),
    hook(["PreToolUse"], { tools: ["mcp__github__*"] }),
  ],
  "a guard of everything": [hook(["PreToolUse"])],
  "guards that only look at changes": [hook(["PreToolUse"], { only_changes: true })],
  "hooks on many events": [
    hook([
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "Stop",
      "SubagentStop",
      "SessionEnd",
    ]),
  ],
  "slow hooks": [hook(["Stop"], { timeout: 900 }), hook(["PreToolUse"], { timeout: 1200 })],
  "hooks that wait for a human": [
    hook(["AgentPrompt"], { observes: true }),
    hook(["PreToolUse"], { tools: ["Bash"] }),
  ],
  "hooks on errors": [hook(["PreToolUse", "Error"])],
  "an agent that is woken": [hook(["Stop", "Notification"], { observes: true, wakes: true })],
};

export function agreementSuite(names: readonly AgentName[]): void {
  describe.each(names)("install and doctor agree about %s", (name) => {
    it.each(Object.keys(CONFIGURATIONS))("with %s", async (kind) => {
      const { settings } = await integrationOf(name);
      const { events } = settings.wanted(CONFIGURATIONS[kind] ?? []);
      const text = settings.install(undefined, events);
      expect(settings.drifted(text, events)).toEqual([]);
      expect(settings.unread(text)).toBeUndefined();
      expect(settings.installed(text).toSorted()).toEqual(events.map(({ native }) => native).toSorted());
      expect(settings.install(text, events)).toBe(text);
      // A file that other folders share gets what it has, and what is needed here.
      const shared = settings.entered(text);
      expect(settings.drifted(settings.install(text, shared), shared)).toEqual([]);
    });

    it("where somebody needed more time before", async () => {
      const { settings } = await integrationOf(name);
      const guard = [hook(["PreToolUse"], { tools: ["Bash"] })];
      const slow = settings.wanted(guard.map((one) => ({ ...one, timeout: 5000 })));
      const text = settings.install(undefined, slow.events);
      expect(settings.drifted(text, settings.wanted(guard).events)).toEqual([]);
    });
  });
}
