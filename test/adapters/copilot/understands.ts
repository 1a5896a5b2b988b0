import type { Effect } from "tenterhook";
import type { NativePayload, NativeReply } from "../../../src/adapters/adapter.ts";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Understood } from "../support/adapter-suite.ts";

/** The event of a payload: the program knows it, its payloads often do not say. */
function eventOf(payload: NativePayload): string {
  const has = (...keys: readonly string[]): boolean => keys.every((key) => payload[key] !== undefined);
  const { hook_event_name: name, hookName } = payload;
  if (typeof name === "string") return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  if (typeof hookName === "string") return hookName;
  if (has("toolResult")) return "postToolUse";
  if (has("toolName", "error")) return "postToolUseFailure";
  if (has("toolName")) return has("toolInput") ? "permissionRequest" : "preToolUse";
  if (has("toolArgs")) return "preToolUse";
  if (has("source")) return "sessionStart";
  if (has("prompt")) return has("transformedPrompt") ? "userPromptTransformed" : "userPromptSubmit";
  if (has("stopReason")) return has("agentName") ? "subagentStop" : "stop";
  return "other";
}

const CONTEXT = ["sessionStart", "userPromptSubmit", "preToolUse", "postToolUse", "postToolUseFailure"];
/** Fails closed: an exit code that is not 0 refuses. */
const CLOSED = ["preToolUse", "permissionRequest"];

/** What GitHub Copilot CLI 1.0.102 does with a reply. */
export function copilotUnderstands(reply: NativeReply, payload: NativePayload): Understood {
  const event = eventOf(payload);
  const effects = new Set<Effect>();
  let verdict: Understood["verdict"] = "continue";
  const judge = (given: unknown): void => {
    if (given !== "allow" && given !== "ask" && given !== "deny") return;
    verdict = given;
    effects.add(given);
  };
  if (reply.exit_code !== 0 && CLOSED.includes(event)) judge("deny");
  const top: unknown = reply.stdout.trim().startsWith("{") ? JSON.parse(reply.stdout) : {};
  if (!isRecord(top)) throw new Error("A reply that starts with { is an object.");
  if (event === "preToolUse" || event === "somethingOfNextYear") judge(top.permissionDecision);
  if (event === "preToolUse" && isRecord(top.modifiedArgs)) effects.add("rewrite");
  if (event === "permissionRequest") judge(top.behavior);
  if (event === "userPromptSubmit" && typeof top.modifiedPrompt === "string") effects.add("rewrite");
  const result = top.modifiedResult;
  if (event === "postToolUse" && isRecord(result) && typeof result.textResultForLlm === "string")
    effects.add("rewrite");
  if (top.decision === "block") {
    if (event === "stop" || event === "subagentStop") effects.add("keep_going");
    if (event === "userPromptSubmit" || event === "postToolUse") judge("deny");
  }
  if (CONTEXT.includes(event) && typeof top.additionalContext === "string") effects.add("context");
  return { verdict, effects, ends: false, shown: reply.stderr };
}
