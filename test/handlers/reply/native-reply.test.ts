import {
  abort,
  allow,
  ask,
  context,
  deny,
  type EventName,
  HookFailureError,
  keepGoing,
  rewrite,
  userMessage,
} from "tenterhook";
import { describe, expect, it } from "vitest";
import { native } from "../../../src/core/events/outcomes.ts";
import { readNativeExit } from "../../../src/handlers/reply/read-native.ts";
import { anEvent } from "./support.ts";

interface Ended {
  readonly exit_code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

const read = (name: EventName, { exit_code = 0, stdout = "", stderr = "" }: Ended): unknown => {
  try {
    return readNativeExit({ exit_code, stdout, stderr }, anEvent(name, { host: "claude" }));
  } catch (error) {
    if (!(error instanceof HookFailureError)) throw error;
    const { kind, message, refusals, outcomes } = error;
    return { [kind]: message, refusals, outcomes };
  }
};
const json = (value: unknown): Ended => ({ stdout: JSON.stringify(value) });
const specific = (hookEventName: string, more: object) => ({
  hookSpecificOutput: { hookEventName, ...more },
});
const DENY = specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "WHY" });
const ANY: { readonly hookSpecificOutput?: Readonly<Record<string, unknown>> } = {};
const ECHO = {
  session_id: "s",
  transcript_path: "/t",
  cwd: "/c",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "deny", decision: "block" },
};

describe("a program written for Claude Code says nothing", () => {
  it.each<[EventName, Ended]>([
    ["PreToolUse", {}],
    ["PreToolUse", { stdout: " \n\n" }],
    ["PreToolUse", { stdout: "", stderr: "noise" }],
    ["PreToolUse", { stdout: "plain words" }],
    ["PostToolUse", { stdout: "plain words" }],
    ["Stop", { stdout: "42" }],
    ["PreToolUse", { stdout: '["list"]' }],
    ["PreToolUse", { stdout: "null" }],
    ["PreToolUse", { stdout: '"words"' }],
    ["PreToolUse", json({})],
    ["PreToolUse", json(ECHO)],
    ["PreToolUse", json({ reason: "" })],
    ["PreToolUse", json({ reason: "words" })],
    ["PreToolUse", json({ continue: true, suppressOutput: true })],
    ["PreToolUse", json({ stopReason: "words" })],
    ["PreToolUse", json({ status: "ok", message: "done" })],
    ["PreToolUse", json({ ok: true })],
    ["PreToolUse", json({ action: "allow" })],
    ["PreToolUse", json({ async: false })],
    ["PreToolUse", json({ async: true, decision: "block" })],
    ["PreToolUse", { stdout: `{"async": true}\n${JSON.stringify(DENY)}` }],
    ["PreToolUse", { exit_code: 2, stderr: "no", stdout: '{"async": true}\n' }],
    ["PreToolUse", json(specific("PreToolUse", { permissionDecisionReason: "words" }))],
    ["PreToolUse", json(specific("PreToolUse", { sessionTitle: "words" }))],
    ["Notification", json(specific("Notification", { additionalContext: "words" }))],
    ["SessionEnd", json({ continue: false })],
  ])("on %s with %j", (name, ended) => {
    expect(read(name, ended)).toEqual([]);
  });
});

describe("a program written for Claude Code is understood as there", () => {
  it.each<[EventName, Ended, readonly object[]]>([
    ["SessionStart", { stdout: "plain words\n" }, [context("plain words")]],
    ["UserPromptSubmit", { stdout: '["list"]' }, [context('["list"]')]],
    ["UserPromptSubmit", { stdout: "{broken" }, [context("{broken")]],
    ["UserPromptSubmit", { stdout: 'text\n{"foo":1}' }, [context('text\n{"foo":1}')]],
    ["PreToolUse", { stdout: `\ufeff${JSON.stringify(DENY)}` }, [deny("WHY")]],
    ["PreToolUse", json({ decision: "approve", ...DENY }), [allow(), deny("WHY")]],
    ["PreToolUse", json({ continue: false }), [abort()]],
    ["Stop", json({ decision: "block" }), [keepGoing("Blocked by hook")]],
    ["Stop", json({ decision: "block", reason: "go on", extra: 1 }), [keepGoing("go on")]],
    [
      "PreToolUse",
      {
        stdout: `{"async": true}\nnoise\n${JSON.stringify(specific("PreToolUse", { additionalContext: "c" }))}\n`,
      },
      [context("c")],
    ],
    ["PreToolUse", { exit_code: 2, stderr: " no\n" }, [deny("no")]],
    ["PreToolUse", { exit_code: 2, stderr: "no", stdout: "{broken" }, [deny("no")]],
    ["PreToolUse", { exit_code: 2, stderr: "no", ...json({ continue: 7 }) }, [deny("no")]],
    ["PreToolUse", { exit_code: 2, stderr: "no", ...json(DENY) }, [deny("WHY")]],
    [
      "PreToolUse",
      { exit_code: 2, stderr: "no", ...json(specific("PreToolUse", { additionalContext: "more" })) },
      [context("more"), deny("no")],
    ],
    ["SessionStart", { exit_code: 2, stderr: "no" }, [userMessage("no", "warning")]],
  ])("on %s with %j", (name, ended, outcomes) => {
    expect(read(name, ended)).toEqual(outcomes);
  });

  it("a key that it does not know changes nothing, and the user is notified where something is decided", () => {
    const warning = (keys: string) =>
      userMessage(`The reply has keys that mean nothing here: ${keys}.`, "warning");
    const input = { command: "ls" };
    expect(
      read("PreToolUse", json({ ...specific("PreToolUse", { updatedInput: input, more: 1 }), other: 2 })),
    ).toEqual([rewrite(input), warning("other, more")]);
    expect(read("PreToolUse", json({ decision: "block", reason: "WHY", extra: 1 }))).toEqual([
      deny("WHY"),
      warning("extra"),
    ]);
    expect(
      read("UserPromptSubmit", json(specific("UserPromptSubmit", { additionalContext: "c", x: 1 }))),
    ).toEqual([context("c")]);
  });

  it.each<[EventName, object]>([
    [
      "SessionStart",
      specific("SessionStart", { sessionTitle: "t", watchPaths: ["/a"], initialUserMessage: "Go." }),
    ],
    ["UserPromptSubmit", specific("UserPromptSubmit", { suppressOriginalPrompt: true })],
    ["PostToolUse", specific("PostToolUse", { classifierContext: "c" })],
    ["PermissionDenied", specific("PermissionDenied", { retry: true })],
    ["Notification", { terminalSequence: "\u001b]0;t\u0007" }],
  ])("a key that only Claude Code understands is passed on: %s %j", (name, reply) => {
    const { hookSpecificOutput: { hookEventName: _ = "", ...own } = {}, ...top } = { ...ANY, ...reply };
    const passed = Object.keys(own).length === 0 ? top : { hookSpecificOutput: own };
    expect(read(name, json(reply))).toEqual([native(passed)]);
  });

  it("a call is deferred, and permissions are updated", () => {
    const later = specific("PreToolUse", { permissionDecision: "defer", permissionDecisionReason: "later" });
    expect(read("PreToolUse", json(later))).toEqual([
      ask("later"),
      native({ hookSpecificOutput: { permissionDecision: "defer" } }),
    ]);
    const decision = { behavior: "allow", updatedPermissions: [{ type: "addRules" }] };
    expect(read("PermissionRequest", json(specific("PermissionRequest", { decision })))).toEqual([
      allow(),
      native({ hookSpecificOutput: { decision: { updatedPermissions: [{ type: "addRules" }] } } }),
    ]);
  });

  it("an exit code that is neither 0 nor 2 is a failure; what it said counts where that is let pass", () => {
    const allowing = specific("PreToolUse", { permissionDecision: "allow" });
    expect(read("PreToolUse", { exit_code: 1, stderr: "boom", ...json(allowing) })).toEqual({
      error: "Exit code 1: boom",
      refusals: [],
      outcomes: [allow()],
    });
    expect(read("PreToolUse", { exit_code: 127, ...json(DENY) })).toEqual({
      error: "Exit code 127",
      refusals: [deny("WHY")],
      outcomes: [deny("WHY")],
    });
    expect(read("UserPromptSubmit", { exit_code: 1, stdout: "words" })).toEqual({
      error: "Exit code 1",
      refusals: [],
      outcomes: [],
    });
  });
});

describe("a reply that refuses in a form the agent ignores is a failure, which closes gates", () => {
  it.each<[EventName, Ended]>([
    ["PreToolUse", json({ permissionDecision: "deny", permissionDecisionReason: "WHY" })],
    ["PreToolUse", json({ permisionDecision: "deny", reason: "WHY" })],
    ["PreToolUse", json({ hookSpecificOutput: { permissionDecision: "deny", reason: "WHY" } })],
    ["PreToolUse", json(specific("PostToolUse", { ...DENY.hookSpecificOutput, hookEventName: "X" }))],
    ["PreToolUse", json({ decision: "deny", reason: "WHY" })],
    [
      "PreToolUse",
      json(specific("PreToolUse", { permissionDecision: "DENY", permissionDecisionReason: "WHY" })),
    ],
    [
      "PreToolUse",
      json(specific("PreToolUse", { permissionDecision: "block", permissionDecisionReason: "WHY" })),
    ],
    ["PreToolUse", json([{ decision: "block", reason: "WHY" }])],
    ["PreToolUse", json({ ok: false, reason: "WHY" })],
    ["PreToolUse", json({ action: "deny", message: "WHY" })],
    ["PreToolUse", json({ continue: "false", stopReason: "WHY" })],
    ["PreToolUse", { stdout: `looking\n${JSON.stringify(DENY)}` }],
    ["PreToolUse", { stdout: `${JSON.stringify(DENY)}\nlooked` }],
    ["PreToolUse", { stdout: "{'decision': 'block', 'reason': 'it is \\'WHY\\''}" }],
    ["PreToolUse", { stdout: '{"decision":"block","reason":"WHY"' }],
    ["PreToolUse", { stdout: '{"decision":"block","reason":"WHY","decision":"approve"}' }],
    [
      "PreToolUse",
      json(
        specific("PreToolUse", {
          permissionDecision: "ask",
          permissionDecisionReason: "WHY",
          updatedInput: 1,
        }),
      ),
    ],
    ["Stop", json({ decision: "deny", reason: "WHY" })],
    [
      "PermissionRequest",
      json(
        specific("PermissionRequest", { decision: { behavior: "deny", message: "WHY", interrupt: "yes" } }),
      ),
    ],
  ])("on %s with %j", (name, ended) => {
    expect(read(name, ended)).toEqual({ bad_output: expect.any(String), refusals: [], outcomes: [] });
  });

  it("so is a faulty rewrite: the original input must not run", () => {
    for (const fault of [{ permissionDecisionReason: 7 }, { updatedInput: "ls" }, { hookEventName: "Other" }])
      expect(
        read("PreToolUse", json(specific("PreToolUse", { updatedInput: { command: "ls" }, ...fault }))),
      ).toMatchObject({ bad_output: expect.any(String) });
  });
});
