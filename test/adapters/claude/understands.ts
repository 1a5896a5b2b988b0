import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord, parseJson } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The events on which each key of a reply counts, as observed with version 2.1.325. */
const HONOURED: Readonly<Record<string, readonly string[]>> = {
  permissionDecision: ["PreToolUse", "PreModelSwitch"],
  updatedInput: ["PreToolUse"],
  decision: ["PermissionRequest"],
  block: [
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PostToolUse",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "ConfigChange",
  ],
  updatedToolOutput: ["PostToolUse"],
  displayContent: ["MessageDisplay"],
  additionalContext: [
    "SessionStart",
    "Setup",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "SubagentStart",
    "PostModelSwitch",
    "Notification",
  ],
  action: ["Elicitation", "ElicitationResult"],
  plain: ["PreCompact", "SessionStart", "UserPromptSubmit", "WorktreeCreate"],
  exit_2: [
    "PreToolUse",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreModelSwitch",
    "PreCompact",
    "ConfigChange",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "WorktreeCreate",
    "SomethingOfNextYear",
  ],
};

/** The events on which `continue: false` ends the run; on every other one it is read and ignored. */
const ENDED = [
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreToolUse",
  "PostToolUse",
  "PostToolBatch",
  "Stop",
  "TeammateIdle",
];

const KEEPS_GOING = ["Stop", "SubagentStop", "TeammateIdle"];

/** What Claude Code does with a reply, by its documented and observed behaviour. */
export function claudeUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = typeof payload.hook_event_name === "string" ? payload.hook_event_name : "";
  const counts = (key: string): boolean => HONOURED[key]?.includes(event) === true;
  const effects = new Set<Effect>();
  let verdict: Understood["verdict"] = "continue";
  let ends = false;
  const judge = (given: unknown): void => {
    if (given !== "allow" && given !== "ask" && given !== "deny") return;
    verdict = given;
    effects.add(given);
  };
  const refuse = (): void => {
    if (KEEPS_GOING.includes(event)) effects.add("keep_going");
    else judge("deny");
  };
  if (reply.exit_code === 2) {
    if (counts("exit_2") || KEEPS_GOING.includes(event)) refuse();
    return { verdict, effects, ends: event === "PostToolBatch", shown: reply.stderr };
  }
  // A call that fails on the way to a compaction is shown to the user, and nothing else of it counts.
  if (event === "PreCompact" && reply.exit_code !== 0) return { verdict, effects, ends, shown: reply.stderr };
  // It takes all output for the path, whatever it looks like, and any other exit code for a failure.
  if (event === "WorktreeCreate") {
    if (reply.stdout.startsWith("{")) throw new Error("A path is no JSON.");
    if (reply.exit_code !== 0) judge("deny");
    else if (reply.stdout !== "") effects.add("answer");
    return { verdict, effects, ends: false, shown: "" };
  }
  const top = parseJson(reply.stdout);
  // What is no JSON is text, also when it begins with a brace.
  if (!isRecord(top)) {
    if (reply.stdout !== "" && counts("plain")) effects.add("context");
    return { verdict, effects, ends: false, shown: "" };
  }
  const specific = isRecord(top.hookSpecificOutput) ? top.hookSpecificOutput : {};
  if (top.hookSpecificOutput !== undefined && specific.hookEventName !== event)
    throw new Error("hookEventName must be the event.");
  if (counts("permissionDecision")) judge(specific.permissionDecision);
  if (counts("updatedInput") && isRecord(specific.updatedInput)) effects.add("rewrite");
  if (counts("decision") && isRecord(specific.decision)) {
    judge(specific.decision.behavior);
    if (isRecord(specific.decision.updatedInput)) effects.add("rewrite");
    if (specific.decision.interrupt === true) ends = true;
  }
  if (counts("block") && top.decision === "block" && typeof top.reason === "string") refuse();
  if (counts("updatedToolOutput") && sameShape(specific.updatedToolOutput, payload.tool_response))
    effects.add("rewrite");
  if (counts("displayContent") && typeof specific.displayContent === "string") effects.add("rewrite");
  if (counts("additionalContext") && typeof specific.additionalContext === "string") effects.add("context");
  if (counts("action") && typeof specific.action === "string") {
    effects.add("answer");
    if (specific.action === "decline") judge("deny");
  }
  if (top.continue === false && ENDED.includes(event)) ends = true;
  if (ends) effects.add("abort");
  return {
    verdict,
    effects,
    ends,
    shown: typeof top.systemMessage === "string" ? top.systemMessage : "",
  };
}

/** It checks another result against the shape of the tool's own, and goes on with the old one when it does not fit. */
function sameShape(given: unknown, own: unknown): boolean {
  if (Array.isArray(given) && Array.isArray(own)) return given.every((item) => sameShape(item, own[0]));
  if (isRecord(given) && isRecord(own)) {
    const keys = new Set([...Object.keys(given), ...Object.keys(own)]);
    return [...keys].every((key) => key in given && key in own && sameShape(given[key], own[key]));
  }
  const isNested = (value: unknown): boolean => typeof value === "object" && value !== null;
  if (isNested(given) || isNested(own)) return false;
  return typeof given === typeof own && (given === null) === (own === null);
}
