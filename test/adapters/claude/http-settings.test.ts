import { describe, expect, it } from "vitest";
import { claudeSettings } from "../../../src/adapters/claude/bridge.ts";
import { importClaude } from "../../../src/adapters/claude/import/import.ts";
import type { WantedEvent } from "../../../src/adapters/settings/agent-settings.ts";

const TOKEN = "ab".repeat(32);
const HTTP = { url: "http://127.0.0.1:23456/tenterhook/hook/claude", token: TOKEN };
const GATE: WantedEvent = { native: "PreToolUse", timeout: 600, gate: true, matcher: "Bash", http: HTTP };
const OBSERVED: WantedEvent = { native: "Notification", timeout: 600, gate: false, http: HTTP };

const entry = {
  type: "http",
  url: HTTP.url,
  headers: {
    Authorization: `Bearer ${TOKEN}`,
    "Tenterhook-Timeout": "600",
    "Tenterhook-Agent": "$TENTERHOOK_AGENT_ID",
    "Tenterhook-Folder": "$PWD",
  },
  allowedEnvVars: ["TENTERHOOK_AGENT_ID", "PWD"],
  timeout: 600,
};

describe("an entry of Claude Code that asks the daemon by HTTP", () => {
  it("refuses a gate when the daemon is away, and lets an observed event go on", () => {
    expect(JSON.parse(claudeSettings.install(undefined, [GATE, OBSERVED]) ?? "")).toEqual({
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [{ ...entry, onFailure: "block" }] }],
        Notification: [{ hooks: [entry] }],
      },
    });
  });

  it("replaces the command of the same event, and is replaced by it", () => {
    const { http: _, ...command } = GATE;
    const before = claudeSettings.install('{\n  "model": "opus"\n}\n', [command]);
    const fast = claudeSettings.install(before, [GATE]);
    expect(fast).not.toContain("tenterhook hook");
    expect(claudeSettings.installed(fast)).toEqual(["PreToolUse"]);
    expect(claudeSettings.install(fast, [GATE])).toBe(fast);
    expect(claudeSettings.install(fast, [command])).toBe(before);
    expect(claudeSettings.uninstall(fast)).toBe('{\n  "model": "opus"\n}\n');
  });

  it("is noticed when it calls another address or opens the gate", () => {
    const text = claudeSettings.install(undefined, [GATE]);
    expect(claudeSettings.drifted(text, [GATE])).toEqual([]);
    const elsewhere = text?.replace("23456", "23457");
    expect(claudeSettings.drifted(elsewhere, [GATE])).toEqual([
      { native: "PreToolUse", gate: true, narrow: false, different: ["url"] },
    ]);
    const open = text?.replace('"block"', '"continue"');
    expect(claudeSettings.drifted(open, [GATE])).toMatchObject([{ gate: true, different: ["onFailure"] }]);
    expect([text, elsewhere].map((one) => claudeSettings.asksDaemon?.(one))).toEqual([true, true]);
  });

  it("is not imported, and hooks at other addresses are not ours", () => {
    const other = { type: "http", url: "http://127.0.0.1:8000/hook/claude" };
    const hooks = { PreToolUse: [{ hooks: [entry, other] }] };
    const imported = importClaude({ hooks, scriptsOf: () => [] });
    expect(imported.hooks.map(({ original }) => original.handler)).toEqual([other]);
    expect(claudeSettings.asksDaemon?.(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [other] }] } }))).toBe(
      false,
    );
  });
});
