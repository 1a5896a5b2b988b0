import { describe, expect, it } from "vitest";
import { qwenIntegration, qwenSettings } from "../../../src/adapters/qwen/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const SHELL = { events: ["PreToolUse"], timeout: 600, tools: ["Bash", "mcp__github__push"] };
const COMMENTED = '{\n  // Mine.\n  "ui": { "theme": "Dark" } // Dark.\n}\n';

describe("the hooks in Qwen Code's settings", () => {
  it("have a time that it can't take for seconds, its own tool names, and refuse when our program fails", () => {
    const { events } = qwenSettings.wanted([SHELL]);
    expect(JSON.parse(qwenSettings.install(undefined, events) ?? "")).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: "mcp__github__push|run_shell_command",
            hooks: [{ type: "command", command: hookCommand({ gate: true }, "goes on"), timeout: 1_230_000 }],
          },
        ],
      },
    });
  });

  it("are put in once, next to comments, and taken out to the byte", () => {
    const { events } = qwenSettings.wanted([SHELL]);
    const installed = qwenSettings.install(COMMENTED, events);
    expect(qwenSettings.unread(installed)).toBeUndefined();
    expect(qwenSettings.install(installed, events)).toBe(installed);
    expect(qwenSettings.drifted(installed, events)).toEqual([]);
    expect(qwenSettings.entered(installed)).toMatchObject([{ native: "PreToolUse", timeout: 1230 }]);
    expect(qwenSettings.uninstall(installed)).toBe(COMMENTED);
  });

  it("are ignored without a word when there is a comma too many, also behind a comment", () => {
    expect(qwenSettings.unread('{ // Mine.\n "ui": {},\n}')).toEqual({
      why: "Qwen Code ignores such settings without a word: line 2 holds a comma before a closing bracket",
      strippable: true,
    });
  });

  it("are switched off by one setting", () => {
    expect(qwenIntegration.switchedOff?.('{ "disableAllHooks": true }')).toBe(
      "disableAllHooks is true there",
    );
    expect(qwenIntegration.switchedOff?.("{}")).toBeUndefined();
  });
});
