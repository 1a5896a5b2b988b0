import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The events on which context reaches the model, as observed with version 0.24.4. */
const CONTEXT = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];
const KEEPS_GOING = ["Stop", "SubagentStop"];
const REFUSED_BY_EXIT_2 = ["PreToolUse", "UserPromptSubmit", "PermissionRequest", "SomethingOfNextYear"];

/** What Qwen Code does with a reply, by its observed behaviour. */
export function qwenUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = typeof payload.hook_event_name === "string" ? payload.hook_event_name : "";
  const effects = new Set<Effect>();
  let verdict: Understood["verdict"] = "continue";
  const judge = (given: unknown): void => {
    if (given !== "allow" && given !== "ask" && given !== "deny") return;
    verdict = given;
    effects.add(given);
  };
  if (reply.exit_code === 2) {
    // Without a text on stderr it goes on.
    if (reply.stderr.trim() !== "" && REFUSED_BY_EXIT_2.includes(event)) judge("deny");
    return { verdict, effects, ends: false, shown: reply.stderr };
  }
  if (!reply.stdout.startsWith("{")) return { verdict, effects, ends: false, shown: "" };
  const top: unknown = JSON.parse(reply.stdout);
  if (!isRecord(top)) throw new Error("A reply that starts with { is an object.");
  const specific = isRecord(top.hookSpecificOutput) ? top.hookSpecificOutput : {};
  const stops = top.continue === false;
  if (stops && KEEPS_GOING.includes(event)) throw new Error("That would keep the agent going.");
  if (event === "PreToolUse") {
    judge(specific.permissionDecision);
    // The allow of another hook cancels a permissionDecision, but not this.
    if (effects.has("deny") && !stops) throw new Error("Another hook could cancel this refusal.");
    if (stops) judge("deny");
  }
  if (event === "PermissionRequest" && isRecord(specific.decision)) {
    judge(specific.decision.behavior);
    if (specific.decision.behavior === "allow" && isRecord(specific.decision.updatedInput))
      effects.add("rewrite");
  }
  if (event === "UserPromptSubmit" && (top.decision === "block" || stops)) judge("deny");
  if (KEEPS_GOING.includes(event) && top.decision === "block") effects.add("keep_going");
  if (event === "PostToolUse" && stops) {
    for (const effect of ["deny", "rewrite"] as const) effects.add(effect);
    verdict = "deny";
  }
  if (CONTEXT.includes(event) && typeof specific.additionalContext === "string") effects.add("context");
  const ends = stops && event === "UserPromptSubmit";
  if (ends) effects.add("abort");
  return { verdict, effects, ends, shown: typeof top.systemMessage === "string" ? top.systemMessage : "" };
}
