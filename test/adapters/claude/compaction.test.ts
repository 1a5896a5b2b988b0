import type { Decision } from "tenterhook";
import { describe, expect, it } from "vitest";
import { claude } from "../../../src/adapters/claude/claude.ts";

const NOTHING: Decision = { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };

function reply(decision: Partial<Decision>) {
  const event = claude.decode({ hook_event_name: "PreCompact", session_id: "s1", cwd: "/project" });
  return claude.encode({ ...NOTHING, ...decision }, event);
}

const saying = (text: string) =>
  [{ text, hook: "h", role: "user", lifetime: "turn", recorded: true }] as const;

describe("instructions for a compaction, which Claude Code takes from all that is printed,", () => {
  it("do not contain messages to the user: stderr of a call that fails has them", () => {
    const user_messages = [{ text: "A hook failed.", level: "error", hook: "h" }] as const;
    expect(reply({ user_messages })).toEqual({
      stdout: "",
      stderr: "A hook failed.",
      exit_code: 1,
      losses: [],
    });
    expect(reply({ user_messages, context: saying("Keep the names.") })).toMatchObject({
      stdout: "Keep the names.",
      stderr: "A hook failed.",
      exit_code: 0,
    });
  });

  it.each([
    ["{broken", "{broken"],
    ['{"decision":"block"}', 'Context:\n{"decision":"block"}'],
  ])("are no reply when they begin with a brace: %s", (text, stdout) => {
    expect(reply({ context: saying(text) }).stdout).toBe(stdout);
  });
});
