import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The events on which each key of a reply counts, as observed with version 0.61.0. */
const HONOURED: Readonly<Record<string, readonly string[]>> = {
  decision: ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "SomethingOfNextYear"],
  tool_input: ["BeforeTool"],
  llm_request: ["BeforeModel"],
  additionalContext: ["SessionStart", "BeforeAgent", "AfterTool"],
  continue: ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel"],
};

/** What Gemini CLI does with a reply, by its observed behaviour. */
export function geminiUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = typeof payload.hook_event_name === "string" ? payload.hook_event_name : "";
  const counts = (key: string): boolean => HONOURED[key]?.includes(event) === true;
  const effects = new Set<Effect>();
  let verdict: Understood["verdict"] = "continue";
  const text = reply.stdout.trim() || reply.stderr.trim();
  if (!text.startsWith("{")) {
    // Exit code 1 is a warning; every other one refuses, when there is a text.
    if (text !== "" && reply.exit_code > 1) verdict = "deny";
    return { verdict, effects, ends: false, shown: text };
  }
  const top: unknown = JSON.parse(text);
  if (!isRecord(top)) throw new Error("A reply that starts with { is an object.");
  // Anything else makes it forget the replies of all hooks.
  const specific = top.hookSpecificOutput ?? {};
  if (!isRecord(specific)) throw new Error("hookSpecificOutput must be an object.");
  const ends = top.continue === false && counts("continue");
  if (counts("decision") && (top.decision === "deny" || top.decision === "block")) {
    if (event === "AfterAgent") effects.add("keep_going");
    else if (event === "AfterTool") {
      // The reason takes the place of the result and of all context.
      for (const effect of ["deny", "rewrite"] as const) effects.add(effect);
      if (specific.additionalContext === undefined) effects.add("context");
      verdict = "deny";
    } else {
      effects.add("deny");
      verdict = "deny";
    }
  }
  if (counts("tool_input") && isRecord(specific.tool_input)) effects.add("rewrite");
  if (counts("llm_request") && isRecord(specific.llm_request)) effects.add("rewrite");
  if (counts("additionalContext") && typeof specific.additionalContext === "string") effects.add("context");
  if (ends) effects.add("abort");
  const shown = typeof top.systemMessage === "string" ? top.systemMessage : "";
  return { verdict, effects, ends, shown };
}
