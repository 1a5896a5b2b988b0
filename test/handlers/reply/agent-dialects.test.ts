import { abort, ask, context, deny, type EventName, keepGoing, rewrite, userMessage } from "tenterhook";
import { describe, expect, it } from "vitest";
import { readNativeExit, readNativeJson } from "../../../src/handlers/reply/read-native.ts";
import { anEvent, given } from "./support.ts";

interface Ended {
  readonly exit_code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

const read = (host: string, name: EventName, { exit_code = 0, stdout = "", stderr = "" }: Ended): unknown =>
  given(() => readNativeExit({ exit_code, stdout, stderr }, anEvent(name, { host })));
const json = (value: unknown): Ended => ({ stdout: JSON.stringify(value) });
const onStderr = (value: unknown): Ended => ({ stderr: JSON.stringify(value) });
const specific = (more: object): Ended => json({ hookSpecificOutput: more });
const CLAUDE_DENY = { permissionDecision: "deny", permissionDecisionReason: "WHY" };

describe("a program written for Gemini CLI", () => {
  it.each<[EventName, Ended, unknown]>([
    ["PreToolUse", json({ decision: "deny", reason: "WHY" }), [deny("WHY")]],
    ["PreToolUse", json({ decision: "block", reason: "WHY" }), [deny("WHY")]],
    ["PreToolUse", json({ decision: "ask", reason: "WHY" }), [ask("WHY")]],
    ["PreToolUse", onStderr({ decision: "deny", reason: "WHY" }), [deny("WHY")]],
    ["PreToolUse", { exit_code: 3, stderr: "WHY" }, [deny("WHY")]],
    ["PreToolUse", { exit_code: 2, stdout: "WHY", stderr: "noise" }, [deny("WHY")]],
    ["PreToolUse", { exit_code: 127, stderr: "not found" }, [deny("not found")]],
    ["PreToolUse", { exit_code: 1, stderr: "oh" }, { error: "Exit code 1: oh" }],
    ["PreToolUse", specific({ tool_input: { command: "ls" } }), [rewrite({ command: "ls" })]],
    ["PreToolUse", json({ continue: false, stopReason: "WHY" }), [abort("WHY")]],
    ["PreToolUse", specific(CLAUDE_DENY), [deny("WHY")]],
    ["Stop", json({ decision: "deny", reason: "MORE" }), [keepGoing("MORE")]],
    ["UserPromptSubmit", specific({ additionalContext: "NOTE" }), [context("NOTE")]],
    ["SessionStart", { stdout: "plain words" }, [userMessage("plain words")]],
    ["PreToolUse", { stdout: "plain words" }, [userMessage("plain words")]],
  ])("on %s says %j", (name, ended, expected) => {
    expect(read("gemini", name, ended)).toEqual(expected);
  });
});

describe("a program written for Qwen Code", () => {
  it.each<[EventName, Ended, unknown]>([
    ["PreToolUse", json({ decision: "deny", reason: "WHY" }), [deny("WHY")]],
    ["PreToolUse", specific(CLAUDE_DENY), [deny("WHY")]],
    ["PreToolUse", specific({ ...CLAUDE_DENY, hookEventName: "Other" }), [deny("WHY")]],
    ["PreToolUse", onStderr({ decision: "deny", reason: "WHY" }), [deny("WHY")]],
    ["PreToolUse", { exit_code: 2, stderr: "WHY" }, [deny("WHY")]],
    ["PreToolUse", { exit_code: 3, stderr: "oh" }, { error: "Exit code 3: oh" }],
    ["PreToolUse", { stdout: "plain words" }, []],
    ["UserPromptSubmit", { stdout: "plain words" }, [context("plain words")]],
    ["Stop", json({ decision: "block", reason: "MORE" }), [keepGoing("MORE")]],
  ])("on %s says %j", (name, ended, expected) => {
    expect(read("qwen", name, ended)).toEqual(expected);
  });

  it("says the same over HTTP", () => {
    const body = JSON.stringify({ decision: "deny", reason: "WHY" });
    expect(readNativeJson(body, anEvent("PreToolUse", { host: "qwen" }))).toEqual([deny("WHY")]);
  });
});

describe("a program written for Cursor", () => {
  const shell = { host: "cursor", tool_input: { command: "a", cwd: "/c" } };
  const says = (name: EventName | `cursor:${string}`, { exit_code = 0, stdout = "", stderr = "" }: Ended) =>
    given(() =>
      readNativeExit(
        { exit_code, stdout, stderr },
        name.startsWith("cursor:")
          ? { ...anEvent("Notification", shell), hook_event_name: name }
          : { ...anEvent("PreToolUse", shell), hook_event_name: name },
      ),
    );

  it.each<[EventName, Ended, unknown]>([
    ["PreToolUse", json({ permission: "deny", user_message: "WHY", agent_message: "no" }), [deny("WHY")]],
    ["PreToolUse", json({ permission: "ask", user_message: "WHY" }), [ask("WHY")]],
    ["PreToolUse", json({ updated_input: { command: "b" } }), [rewrite({ command: "b", cwd: "/c" })]],
    ["PreToolUse", json({ additional_context: "NOTE" }), [context("NOTE")]],
    ["PreToolUse", { exit_code: 2, stdout: "WHY", stderr: "noise" }, [deny("WHY")]],
    ["PreToolUse", onStderr({ permission: "deny" }), []],
    ["Stop", json({ followup_message: "MORE" }), [keepGoing("MORE")]],
    ["UserPromptSubmit", json({ continue: false, user_message: "WHY" }), [abort("WHY")]],
    ["PreToolUse", json({ permission: "deny", agent_message: "WHY" }), [deny("WHY")]],
    ["Stop", json({ decision: "continue" }), []],
    ["SubagentStop", json({ decision: "continue", reason: "Done." }), []],
    ["UserPromptSubmit", { stdout: "logged" }, []],
    ["UserPromptSubmit", json({ decision: "continue" }), []],
  ])("on %s says %j", (name, ended, expected) => {
    expect(says(name, ended)).toEqual(expected);
  });

  it("is faulty when a gate gets words, a list or an unknown permission", () => {
    for (const stdout of ["words", "[]", '{"permission":"maybe"}'])
      expect(says("PreToolUse", { stdout })).toHaveProperty("bad_output");
  });

  it("refuses when it asks where nobody can be asked", () => {
    expect(says("cursor:beforeShellExecution", json({ permission: "ask", user_message: "WHY" }))).toEqual([
      deny("WHY"),
    ]);
  });
});

describe("a program written for GitHub Copilot CLI", () => {
  const CALL = { tool_input: { command: "a" } };
  const says = (name: EventName, { exit_code = 0, stdout = "", stderr = "" }: Ended) =>
    given(() => readNativeExit({ exit_code, stdout, stderr }, anEvent(name, { host: "copilot", ...CALL })));
  const result = { resultType: "success", textResultForLlm: "[redacted]" };

  it.each<[EventName, Ended, unknown]>([
    ["PreToolUse", json(CLAUDE_DENY), [deny("WHY")]],
    ["PreToolUse", specific(CLAUDE_DENY), [deny("WHY")]],
    ["PreToolUse", json({ ...CLAUDE_DENY, permissionDecision: "ask" }), [ask("WHY")]],
    ["PreToolUse", json({ modifiedArgs: { command: "b" } }), [rewrite({ command: "b" })]],
    ["PreToolUse", specific({ updatedInput: { command: "b" } }), [rewrite({ command: "b" })]],
    ["PreToolUse", json({ additionalContext: "NOTE" }), [context("NOTE")]],
    ["PreToolUse", { exit_code: 2, stderr: "WHY" }, [deny("WHY")]],
    ["PreToolUse", { ...json(CLAUDE_DENY), exit_code: 2 }, [deny("WHY")]],
    ["PreToolUse", { exit_code: 1, stderr: "oh" }, { error: "Exit code 1: oh" }],
    ["PreToolUse", { stdout: "words" }, []],
    ["UserPromptSubmit", { stdout: "words" }, []],
    ["PermissionRequest", json({ behavior: "deny", message: "WHY" }), [deny("WHY")]],
    ["PermissionRequest", { exit_code: 2, stderr: "WHY" }, [deny("WHY")]],
    ["UserPromptSubmit", json({ decision: "block", reason: "WHY" }), [deny("WHY")]],
    ["UserPromptSubmit", json({ modifiedPrompt: "Other." }), [rewrite("Other.")]],
    ["UserPromptSubmit", { exit_code: 2, stderr: "oh" }, { error: "Exit code 1: oh" }],
    ["PostToolUse", json({ modifiedResult: result }), [rewrite(result)]],
    ["Stop", json({ decision: "block", reason: "MORE" }), [keepGoing("MORE")]],
    ["Stop", { exit_code: 2, stderr: "oh" }, { error: "Exit code 1: oh" }],
  ])("on %s says %j", (name, ended, expected) => {
    expect(says(name, ended)).toEqual(expected);
  });
});
