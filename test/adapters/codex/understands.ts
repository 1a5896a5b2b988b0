import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

const UNIVERSAL = ["continue", "stopReason", "systemMessage"];

/** The keys of a reply that each event takes; with any other the whole reply counts for nothing. Seen with version 0.166.0. */
const TOP: Readonly<Record<string, readonly string[]>> = {
  SessionStart: [...UNIVERSAL, "hookSpecificOutput"],
  UserPromptSubmit: [...UNIVERSAL, "hookSpecificOutput", "decision", "reason"],
  PreToolUse: ["systemMessage", "hookSpecificOutput", "decision", "reason"],
  PermissionRequest: ["systemMessage", "hookSpecificOutput"],
  PostToolUse: [...UNIVERSAL, "hookSpecificOutput", "decision", "reason"],
  PreCompact: UNIVERSAL,
  PostCompact: UNIVERSAL,
  SubagentStart: [...UNIVERSAL, "hookSpecificOutput"],
  SubagentStop: [...UNIVERSAL, "decision", "reason"],
  Stop: [...UNIVERSAL, "decision", "reason"],
  Interrupt: ["systemMessage"],
};
const SPECIFIC: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ["additionalContext"],
  UserPromptSubmit: ["additionalContext"],
  PreToolUse: ["additionalContext", "permissionDecision", "permissionDecisionReason", "updatedInput"],
  PermissionRequest: ["decision"],
  PostToolUse: ["additionalContext"],
  SubagentStart: ["additionalContext"],
};

const KEEPS_GOING = ["Stop", "SubagentStop"];
const REFUSED_BY_2 = [
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "SomethingOfNextYear",
];
const ENDED = ["SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SubagentStop"];

const NOTHING: Understood = { verdict: "continue", effects: new Set(), ends: false, shown: "" };

/** What Codex does with a reply, by its observed behaviour. */
export function codexUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = typeof payload.hook_event_name === "string" ? payload.hook_event_name : "";
  if (reply.exit_code === 2) {
    if (reply.stderr.trim() === "") return NOTHING;
    if (KEEPS_GOING.includes(event))
      return { ...NOTHING, effects: new Set(["keep_going"]), shown: reply.stderr };
    if (!REFUSED_BY_2.includes(event)) return NOTHING;
    return { ...NOTHING, verdict: "deny", effects: new Set(["deny"]), shown: reply.stderr };
  }
  const keys = Object.hasOwn(TOP, event) ? TOP[event] : undefined;
  // Where nobody is asked, every call is allowed.
  const isAllowed = event === "PreToolUse" && payload.permission_mode === "bypassPermissions";
  if (keys === undefined || reply.stdout === "")
    return isAllowed ? { ...NOTHING, effects: new Set(["allow"]) } : NOTHING;
  const top: unknown = JSON.parse(reply.stdout);
  if (!isRecord(top) || Object.keys(top).some((key) => !keys.includes(key)))
    throw new Error(`${event} takes no ${reply.stdout}.`);
  const { hookEventName, ...specific } = isRecord(top.hookSpecificOutput)
    ? top.hookSpecificOutput
    : { hookEventName: event };
  if (hookEventName !== event || Object.keys(specific).some((key) => !SPECIFIC[event]?.includes(key)))
    throw new Error(`${event} takes no ${reply.stdout}.`);
  const effects = new Set<Effect>();
  let verdict: Understood["verdict"] = "continue";
  const judge = (given: "allow" | "deny"): void => {
    verdict = given;
    effects.add(given);
  };
  if (specific.permissionDecision === "allow") {
    if (!isRecord(specific.updatedInput)) throw new Error("A bare allow is invalid.");
    effects.add("rewrite");
    judge("allow");
  } else if (specific.updatedInput !== undefined) throw new Error("A new input needs an allow.");
  if (specific.permissionDecision === "ask") throw new Error("There is no ask.");
  if (specific.permissionDecision === "deny") judge("deny");
  if (isRecord(specific.decision)) judge(specific.decision.behavior === "allow" ? "allow" : "deny");
  if (typeof specific.additionalContext === "string") effects.add("context");
  if (top.decision === "block") {
    if (typeof top.reason !== "string" || top.reason === "") throw new Error("A block needs a reason.");
    if (KEEPS_GOING.includes(event)) effects.add("keep_going");
    else judge("deny");
    // The reason takes the place of the result.
    if (event === "PostToolUse") effects.add("rewrite");
  }
  const ends = top.continue === false && ENDED.includes(event);
  if (ends) effects.add("abort");
  if (isAllowed && !effects.has("deny")) effects.add("allow");
  return { verdict, effects, ends, shown: typeof top.systemMessage === "string" ? top.systemMessage : "" };
}
