import { describe, expect, it } from "vitest";
import { readExit } from "../../../src/handlers/reply/read-exit.ts";
import { readNativeExit } from "../../../src/handlers/reply/read-native.ts";
import { anEvent, given } from "./support.ts";

const WHOLE = 'note: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
const READERS = { "of ours": readExit, "of Claude Code's": readNativeExit };

describe.each(Object.entries(READERS))("a reply %s with text before its JSON", (_, read) => {
  const reply = (stdout: string): unknown =>
    given(() => read({ exit_code: 0, stdout, stderr: "" }, anEvent("PreToolUse")));

  it("is a failure wherever it is cut off", () => {
    const passed = Array.from({ length: WHOLE.length }, (_, at) => WHOLE.slice(0, at + 1)).filter(
      (text) => text.includes("{") && !JSON.stringify(reply(text)).includes("bad_output"),
    );
    expect(passed).toEqual([]);
  });

  it("is plain text when no object begins in it", () => {
    for (const text of ["use { braces }", "a set {1, 2", 'say "{" and go'])
      expect(JSON.stringify(reply(text))).not.toContain("bad_output");
  });
});
