import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The keys of a reply; another one is an error, which refuses a call. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ["decision", "reason", "overwrite", "permissionOverrides"],
  SessionStart: ["injectSteps"],
  PreInvocation: ["injectSteps"],
  Stop: ["decision", "reason"],
};

const NOTHING: Understood = { verdict: "continue", effects: new Set(), ends: false, shown: "" };

/** What Antigravity CLI does with a reply, by its documentation and what others report: it was not run. */
export function antigravityUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = sentFor(payload);
  const keys = KEYS[event];
  const refused: Understood = { ...NOTHING, verdict: "deny", effects: new Set(["deny"]) };
  if (reply.exit_code !== 0) return event === "PreToolUse" || keys === undefined ? refused : NOTHING;
  if (reply.stdout === "") return NOTHING;
  const top: unknown = JSON.parse(reply.stdout);
  if (!isRecord(top) || keys === undefined || Object.keys(top).some((key) => !keys.includes(key)))
    throw new Error(`${event} takes no ${reply.stdout}.`);
  const effects = new Set<Effect>();
  if (Array.isArray(top.injectSteps) && isRecord(top.injectSteps[0])) effects.add("context");
  if (event === "Stop" && top.decision === "continue") effects.add("keep_going");
  if (event !== "PreToolUse") return { ...NOTHING, effects };
  if (top.decision === "allow") return { ...NOTHING, verdict: "allow", effects: new Set(["allow"]) };
  // An empty object, too, and every decision that it does not know.
  return refused;
}

function sentFor(payload: NativePayload): string {
  if (typeof payload.hook_event_name === "string") return payload.hook_event_name;
  if ("toolCall" in payload || "stepIdx" in payload) return "PreToolUse";
  if ("invocationNum" in payload) return "PreInvocation";
  return "executionNum" in payload ? "Stop" : "SessionStart";
}
