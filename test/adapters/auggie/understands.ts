import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The events that may name themselves in `hookSpecificOutput`: with another one there the whole reply is no JSON to it. */
const NAMED = ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd", "Notification"];
/** After a result the model reads why. An event that does not exist yet is taken for a gate. */
const REFUSED_BY_EXIT_2 = ["PreToolUse", "PostToolUse", "SomethingOfNextYear"];

/** What Auggie does with a reply, by the observed behaviour of 0.36.0. */
export function auggieUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = typeof payload.hook_event_name === "string" ? payload.hook_event_name : "";
  const effects = new Set<Effect>();
  let verdict: Understood["verdict"] = "continue";
  if (reply.exit_code === 2) {
    if (reply.stdout !== "")
      throw new Error('With exit code 2, {"continue":true} on stdout would run the tool.');
    // The model reads all of stderr, the user only that something was blocked.
    if (REFUSED_BY_EXIT_2.includes(event)) verdict = "deny";
    if (verdict === "deny") effects.add("deny");
    if (event === "PostToolUse" && reply.stderr !== "") effects.add("context");
    return { verdict, effects, ends: false, shown: "" };
  }
  // Any other exit code is a failure, with which it goes on.
  if (reply.exit_code !== 0 || !reply.stdout.startsWith("{"))
    return { verdict, effects, ends: false, shown: reply.stdout };
  const top: unknown = JSON.parse(reply.stdout);
  if (!isRecord(top)) throw new Error("A reply that starts with { is an object.");
  const specific = isRecord(top.hookSpecificOutput) ? top.hookSpecificOutput : undefined;
  if (specific !== undefined && !(NAMED.includes(event) && specific.hookEventName === event))
    return { verdict, effects, ends: false, shown: reply.stdout };
  if (event === "PreToolUse" && isRecord(specific?.updatedInput)) effects.add("rewrite");
  // Another hook that fails cancels this.
  if (specific?.permissionDecision === "deny") throw new Error("This refusal does not hold.");
  if (event === "PostToolUse" && typeof specific?.additionalContext === "string") effects.add("context");
  return {
    verdict,
    effects,
    ends: false,
    shown: typeof top.systemMessage === "string" ? top.systemMessage : "",
  };
}
