import { abort, context, deny, type EventName, keepGoing, userMessage } from "tenterhook";
import { describe, expect, it } from "vitest";
import { readExit } from "../../../src/handlers/reply/read-exit.ts";
import { anEvent, given } from "./support.ts";

const ended = (name: EventName, exit_code: number, stdout: string, stderr: string, more = {}) =>
  given(() => readExit({ exit_code, stdout, stderr }, anEvent(name, more)));

describe("how a program ended", () => {
  it("0 means what it printed; stderr is not read", () => {
    expect(ended("PreToolUse", 0, '{"decision":"block","reason":"no"}', "noise")).toEqual([deny("no")]);
    expect(ended("PreToolUse", 0, "", "noise")).toEqual([]);
  });

  it.each<[EventName, object]>([
    ["PreToolUse", deny("why")],
    ["PermissionRequest", deny("why")],
    ["UserPromptSubmit", deny("why")],
    ["PreCompact", deny("why")],
    ["PostToolUse", deny("why")],
    ["PostToolUseFailure", context("why")],
    ["PostToolBatch", abort("why")],
    ["Stop", keepGoing("why")],
    ["SubagentStop", keepGoing("why")],
    ["SessionStart", userMessage("why", "warning")],
    ["Notification", userMessage("why", "warning")],
    ["SessionEnd", userMessage("why", "warning")],
    ["MemoryUpdate", userMessage("why", "warning")],
  ])("2 on %s refuses with stderr as the reason, whatever stands on stdout", (name, outcome) => {
    expect(ended(name, 2, '{"decision":"approve"', " why\n")).toEqual([outcome]);
  });

  it("2 about a memory file that is about to be written denies", () => {
    expect(ended("MemoryUpdate", 2, "", "why", { pending: true })).toEqual([deny("why")]);
  });

  it("2 without a reason still refuses", () => {
    const reason = "A hook ended with exit code 2 and wrote nothing to stderr.";
    expect(ended("PreToolUse", 2, "", "")).toEqual([deny(reason)]);
    expect(ended("Stop", 2, "", "")).toEqual([keepGoing(reason)]);
  });

  it("anything else is a failure with the ends of stderr, whatever it printed", () => {
    expect(ended("PreToolUse", 1, '{"decision":"approve"}', " boom\n")).toEqual({
      error: "Exit code 1: boom",
    });
    const long = `${"x".repeat(199)}🙂${"y".repeat(600)}🙂 boom\n`;
    expect(ended("PreToolUse", 1, "", long)).toEqual({
      error: `Exit code 1: ${"x".repeat(199)}🙂 … ${"y".repeat(294)}🙂 boom`,
    });
    expect(ended("PreToolUse", 127, '{"decision":"block"}', "")).toEqual({ error: "Exit code 127" });
  });
});
