import {
  abort,
  allow,
  ask,
  context,
  deny,
  type EventName,
  keepGoing,
  rewrite,
  userMessage,
} from "tenterhook";
import { describe, expect, it } from "vitest";
import { readReplyValue } from "../../../src/handlers/reply/read-reply.ts";
import { anEvent, given } from "./support.ts";

const specific = (hookEventName: string, more: object) => ({
  hookSpecificOutput: { hookEventName, ...more },
});
const read = (name: EventName, reply: unknown) => given(() => readReplyValue(reply, anEvent(name)));

describe("a reply as Claude Code documents it", () => {
  it.each<[EventName, object, readonly object[]]>([
    ["PreToolUse", {}, []],
    ["PreToolUse", { continue: true, suppressOutput: true, stopReason: "" }, []],
    ["PreToolUse", { continue: false, stopReason: "enough" }, [abort("enough")]],
    ["PreToolUse", { continue: false }, [abort()]],
    ["Notification", { systemMessage: "hello" }, [userMessage("hello")]],
    ["PreToolUse", { decision: "block", reason: "no" }, [deny("no")]],
    ["PreToolUse", { decision: "approve", reason: "fine" }, [allow("fine")]],
    ["UserPromptSubmit", { decision: "block", reason: "secret" }, [deny("secret")]],
    ["UserPromptSubmit", { decision: "approve" }, []],
    ["PostToolUse", { decision: "block", reason: "lint failed" }, [deny("lint failed")]],
    ["PostToolUseFailure", { decision: "block", reason: "look" }, [context("look")]],
    ["PostToolBatch", { decision: "block", reason: "stop" }, [abort("stop")]],
    ["Stop", { decision: "block", reason: "run the tests" }, [keepGoing("run the tests")]],
    ["Stop", { decision: "approve" }, []],
    ["SubagentStop", { decision: "block", reason: "go on" }, [keepGoing("go on")]],
    ["PreCompact", { decision: "block" }, [deny()]],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "no" }),
      [deny("no")],
    ],
    ["PreToolUse", specific("PreToolUse", { permissionDecision: "ask" }), [ask()]],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "defer", permissionDecisionReason: "later" }),
      [ask("later")],
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "allow", updatedInput: { answers: { q: "a" } } }),
      [allow(), rewrite({ answers: { q: "a" } })],
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { updatedInput: { command: "ls" }, additionalContext: "ctx" }),
      [rewrite({ command: "ls" }), context("ctx")],
    ],
    [
      "PreToolUse",
      { decision: "block", reason: "a", ...specific("PreToolUse", { permissionDecision: "deny" }) },
      [deny("a"), deny()],
    ],
    ["ModelSwitch", specific("ModelSwitch", { permissionDecision: "ask" }), [ask()]],
    ["ModelSwitch", specific("ModelSwitch", { permissionDecision: "allow" }), []],
    [
      "PermissionRequest",
      specific("PermissionRequest", { decision: { behavior: "allow", updatedInput: { command: "ls" } } }),
      [allow(), rewrite({ command: "ls" })],
    ],
    [
      "PermissionRequest",
      specific("PermissionRequest", { decision: { behavior: "deny", message: "no", interrupt: true } }),
      [deny("no"), abort("no")],
    ],
    [
      "PermissionRequest",
      specific("PermissionRequest", { decision: { behavior: "allow", updatedPermissions: [] } }),
      [allow(), userMessage("The reply gives updatedPermissions, which is not carried out here.", "warning")],
    ],
    ["PostToolUse", specific("PostToolUse", { updatedMCPToolOutput: "short" }), [rewrite("short")]],
    ["PostToolUse", specific("PostToolUse", { updatedToolOutput: { a: 1 } }), [rewrite({ a: 1 })]],
    ["SessionStart", specific("SessionStart", { additionalContext: "ctx" }), [context("ctx")]],
    [
      "SessionStart",
      specific("SessionStart", { sessionTitle: "t" }),
      [userMessage("The reply gives sessionTitle, which is not carried out here.", "warning")],
    ],
    ["Stop", specific("Stop", { additionalContext: "still open: x" }), [keepGoing("still open: x")]],
    ["Stop", specific("Stop", { additionalContext: "  " }), []],
  ])("%s %j", (name, reply, outcomes) => {
    expect(read(name, reply)).toEqual(outcomes);
  });

  it("may call the event by the name the agent has for it", () => {
    const event = anEvent("ModelSwitch", { native: { hook_event_name: "PreModelSwitch" } });
    const reply = specific("PreModelSwitch", { permissionDecision: "deny" });
    expect(readReplyValue(reply, event)).toEqual([deny()]);
  });
});

describe("a reply that is half-right says what was expected and keeps what it refuses", () => {
  it.each<[EventName, unknown, string, (readonly string[])?]>([
    [
      "PreToolUse",
      { permissionDecision: "deny" },
      '"permissionDecision" does not belong in the reply: it belongs in hookSpecificOutput.',
    ],
    [
      "PreToolUse",
      { permisionDecision: "deny" },
      '"permisionDecision" is not known in the reply. Did you mean "permissionDecision"? Expected: continue, stopReason, suppressOutput, systemMessage, decision, reason, hookSpecificOutput, terminalSequence.',
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "deny", continue: true }),
      '"continue" does not belong in hookSpecificOutput: it belongs at the top of the reply.',
    ],
    [
      "PreToolUse",
      specific("PostToolUse", { permissionDecision: "allow" }),
      'hookEventName is "PostToolUse", but the event is "PreToolUse".',
    ],
    [
      "PreToolUse",
      { hookSpecificOutput: { permissionDecision: "allow" } },
      'hookSpecificOutput needs hookEventName: "PreToolUse".',
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "later" }),
      'permissionDecision in hookSpecificOutput must be "allow" or "deny" or "ask" or "defer", not "later".',
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { action: "accept" }),
      "action in hookSpecificOutput is for claude:Elicitation and claude:ElicitationResult, not for PreToolUse.",
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "allow", updatedInput: "ls" }),
      'updatedInput in hookSpecificOutput must be an object, not "ls".',
    ],
    [
      "PreToolUse",
      specific("PreToolUse", { permissionDecisionReason: "why" }),
      "permissionDecisionReason needs a permissionDecision, and the reply has none.",
    ],
    [
      "PreToolUse",
      { decision: "deny", reason: "no" },
      'decision in the reply must be "approve" or "block", not "deny".',
    ],
    [
      "PreToolUse",
      { decision: "block", ...specific("PreToolUse", { permissionDecision: "allow" }) },
      "decision and hookSpecificOutput contradict each other: deny and allow.",
    ],
    ["PreToolUse", { continue: "false" }, 'continue in the reply must be true or false, not "false".'],
    ["PreToolUse", { stopReason: "x" }, "stopReason says why continue is false, but there is no continue."],
    [
      "PreToolUse",
      { continue: false, reason: "x" },
      'reason needs a decision, and the reply has none. Expected decision: "block".',
    ],
    [
      "PreToolUse",
      { async: true },
      '"async" does not belong in the reply: a hook runs in the background when its definition says async: true.',
    ],
    [
      "Stop",
      { decision: "block" },
      "It keeps the agent going but gives no reason; the reason is what the agent reads next.",
      ["keep_going"],
    ],
    [
      "PostToolUse",
      { tool_response: { ok: false, continue: false }, session_id: "s" },
      '"tool_response" is not known in the reply. Expected: continue, stopReason, suppressOutput, systemMessage, decision, reason, hookSpecificOutput, terminalSequence.',
    ],
    ["Notification", { decision: "block", reason: "no" }, 'decision: "block" means nothing on Notification.'],
    [
      "SessionEnd",
      { continue: false },
      "continue: false asks for abort, which SessionEnd does not allow (it allows user_message).",
    ],
    [
      "Notification",
      specific("Notification", { additionalContext: "x" }),
      "additionalContext asks for context, which Notification does not allow (it allows user_message, abort).",
    ],
    [
      "PermissionRequest",
      specific("PermissionRequest", { permissionDecision: "allow" }),
      "permissionDecision in hookSpecificOutput is for PreToolUse and ModelSwitch, not for PermissionRequest.",
    ],
    [
      "PermissionRequest",
      specific("PermissionRequest", { decision: { behavior: "deny", updatedInput: {} } }),
      '"updatedInput" does not belong in decision: it is not for behavior "deny".',
    ],
    [
      "PermissionRequest",
      specific("PermissionRequest", { decision: { behaviour: "allow" } }),
      'behavior in decision must be "allow" or "deny", not undefined.',
    ],
    [
      "PostToolUse",
      specific("PostToolUse", { updatedToolOutput: 1, updatedMCPToolOutput: 2 }),
      "updatedToolOutput and updatedMCPToolOutput say the same; give one of them.",
    ],
    [
      "PreToolUse",
      { action: "allow", decision: "block" },
      "The reply mixes decision and action, which belong to different forms of a reply.",
    ],
    [
      "PreToolUse",
      { ok: true, continue: true },
      "The reply mixes continue and ok, which belong to different forms of a reply.",
    ],
    ["PreToolUse", [{ decision: "block" }], "A reply in JSON must be an object, not a list."],
    ["PreToolUse", null, "A reply in JSON must be an object, not null."],
    ["PreToolUse", undefined, "A reply in JSON must be an object, not undefined."],
  ])("%s %j", (name, reply, message) => {
    expect(read(name, reply)).toEqual({ bad_output: message });
  });
});
