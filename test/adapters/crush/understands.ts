import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

const NOTHING: Understood = { verdict: "continue", effects: new Set(), ends: false, shown: "" };

/** What Crush 0.96.1 does with a reply, by its documentation and source: it was not run. */
export function crushUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  if (reply.exit_code === 2) return { ...NOTHING, verdict: "deny", effects: new Set(["deny"]) };
  if (reply.exit_code === 49) return { ...NOTHING, verdict: "deny", effects: new Set(["abort"]), ends: true };
  // Every other end, and everything that is no object, counts for nothing.
  if (reply.exit_code !== 0 || reply.stdout.trim() === "") return NOTHING;
  const top: unknown = JSON.parse(reply.stdout);
  if (!isRecord(top)) return NOTHING;
  if (top.hookSpecificOutput !== undefined) throw new Error("Then everything at the top is ignored.");
  const effects = new Set<Effect>();
  const isRefused = top.decision === "deny" || top.halt === true;
  if (top.decision === "deny") effects.add("deny");
  else if (top.decision === "allow") effects.add("allow");
  else if (top.decision !== undefined)
    throw new Error(`${String(top.decision)} is no decision: the call runs.`);
  if (top.halt === true) effects.add("abort");
  if (isRecord(top.updated_input) && isRecord(payload.tool_input)) {
    // Fields that are left out stay as they were.
    const { updated_input: given } = top;
    const isWhole = Object.keys(payload.tool_input).every((key) => Object.hasOwn(given, key));
    if (isWhole && !isRefused) effects.add("rewrite");
  }
  // Beside a refusal the model reads the reason only.
  if (typeof (isRefused ? top.reason : top.context) === "string") effects.add("context");
  const verdict = isRefused ? "deny" : top.decision === "allow" ? "allow" : "continue";
  return { verdict, effects, ends: top.halt === true, shown: "" };
}
