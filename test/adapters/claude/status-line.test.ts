import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeIntegration } from "../../../src/adapters/claude/integration.ts";
import { claudeSaid } from "../../../src/adapters/claude/said-usage.ts";
import { claudeStatusLine } from "../../../src/adapters/claude/status-line.ts";
import { parseRecord } from "../../../src/core/base/json.ts";

/** Recorded from Claude Code 2.1.325. */
const RECORDED = parseRecord(
  readFileSync(new URL("../../fixtures/status-line/claude.json", import.meta.url), "utf8"),
);

describe("what Claude Code tells its status line", () => {
  it("is its cost, how full its context is, and how long that can be", () => {
    expect(claudeSaid(RECORDED)).toEqual({
      cost_usd: 0.00028000000000000003,
      context_tokens: 15,
      context_window: 1_000_000,
    });
  });

  it("is how much of a plan is used, for people who have one", () => {
    const rate_limits = {
      five_hour: { used_percentage: 23.5, resets_at: 1_773_064_800 },
      seven_day: { used_percentage: 41 },
      of_next_year: "all",
    };
    expect(claudeSaid({ rate_limits })).toEqual({
      rate_limits: {
        five_hour: { used_percentage: 23.5, resets_at: "2026-03-09T14:00:00.000Z" },
        seven_day: { used_percentage: 41 },
      },
    });
  });

  it("is nothing where it says nothing, before the first answer of a model for example", () => {
    const window = { context_window_size: 0, current_usage: null };
    expect(claudeSaid({ cost: { total_cost_usd: -1 }, context_window: window, rate_limits: null })).toEqual(
      {},
    );
  });
});

describe("the status line in Claude Code's settings", () => {
  const command = (text: string | undefined): unknown => parseRecord(text ?? "").statusLine;

  it("shows nothing of its own where there was none", () => {
    const text = claudeStatusLine.install('{ "model": "opus" }\n');
    expect(command(text)).toEqual({ type: "command", command: "tenterhook agent status-line > /dev/null" });
    expect(claudeStatusLine.install(text)).toBe(text);
  });

  it("keeps the command that is there, and its other settings", () => {
    const text = claudeStatusLine.install(
      '{"statusLine": {"padding": 0, "command": "~/line.sh \\u0041", "type": "command"}}',
    );
    expect(command(text)).toEqual({
      padding: 0,
      type: "command",
      command: "{ tenterhook agent status-line || cat; } | {\n~/line.sh A\n}",
    });
    expect(claudeStatusLine.install(text)).toBe(text);
  });

  it("is refused where nobody can tell what runs", () => {
    expect(() => claudeStatusLine.install('{\n"statusLine": { "type": "command" } }')).toThrow(
      "statusLine.command is not a text",
    );
  });

  it("becomes what it was before, to the byte", () => {
    const events = claudeIntegration.settings.wanted([{ events: ["Stop"], timeout: 5 }]).events;
    const texts = fc.oneof(
      fc.constantFrom(undefined, "", "{}", "{ }\n", '{\n\t"model": "opus"\n}\n'),
      fc
        .tuple(fc.string(), fc.constantFrom(0, 2, "\t"))
        .map(([line, indent]) =>
          JSON.stringify(
            { statusLine: { type: "command", command: line }, model: "opus" },
            undefined,
            indent,
          ),
        ),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const installed = claudeStatusLine.install(claudeIntegration.settings.install(text, events));
        expect(claudeIntegration.settings.uninstall(claudeStatusLine.uninstall(installed))).toBe(text);
        expect(claudeStatusLine.uninstall(text)).toBe(text);
      }),
    );
  });
});
