import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The events on which `permission` decides. */
const DECIDES = [
  "preToolUse",
  "beforeShellExecution",
  "beforeMCPExecution",
  "beforeReadFile",
  "beforeTabFileRead",
  "subagentStart",
];
/** The events on which the agent of @cursor/sdk passes context on to the model. */
const CONTEXT = ["sessionStart", "preToolUse", "postToolUse", "postToolUseFailure"];
const KEEPS_GOING = ["stop", "subagentStop"];

/** What the agent of @cursor/sdk 1.0.32 does with a reply of a hook that has failClosed. */
export function cursorUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = typeof payload.hook_event_name === "string" ? payload.hook_event_name : "";
  const effects = new Set<Effect>();
  const refused: Understood = { verdict: "deny", effects, ends: false, shown: reply.stderr };
  if (reply.exit_code === 2) {
    effects.add("deny");
    return refused;
  }
  const top: unknown = reply.stdout.trim() === "" ? undefined : JSON.parse(reply.stdout);
  if (!isRecord(top)) return DECIDES.includes(event) ? refused : { ...refused, verdict: "continue" };
  let verdict: Understood["verdict"] = "continue";
  if (DECIDES.includes(event)) {
    if (top.permission === "deny") verdict = "deny";
    // Nobody is asked: the tool runs.
    else if (top.permission === "allow" || top.permission === "ask") verdict = "allow";
    if (top.permission === "deny" || top.permission === "allow") effects.add(top.permission);
  }
  if (event === "preToolUse" && isRecord(top.updated_input)) effects.add("rewrite");
  // What a hook said on preToolUse is in the call already.
  if (event === "beforeMCPExecution") effects.add("rewrite");
  const { additional_context: context } = top;
  if (CONTEXT.includes(event) && typeof context === "string" && context.length <= 10_000) {
    effects.add("context");
    // The model reads a refusal of what has happened as context.
    if (event === "postToolUse") {
      effects.add("deny");
      verdict = "deny";
    }
  }
  if (KEEPS_GOING.includes(event) && typeof top.followup_message === "string") effects.add("keep_going");
  const ends = event === "sessionStart" && top.continue === false;
  if (ends) effects.add("abort");
  // Beside a refusal the user reads the message; elsewhere nobody does.
  const shown = typeof top.user_message === "string" ? top.user_message : "";
  return { verdict, effects, ends, shown };
}
