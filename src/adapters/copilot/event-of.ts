import type { NativePayload } from "../adapter.ts";
import { COPILOT_EVENTS } from "./events.ts";

/** Names in the other spelling that are more than another first letter. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["userPromptSubmitted", "UserPromptSubmit"],
  ["agentStop", "Stop"],
]);

/** Fields that only one event has, the most telling first: without `hook_event_name`, nothing else names the event. */
const BY_FIELDS: readonly (readonly [event: string, fields: readonly string[]])[] = [
  ["PreMcpToolCall", ["serverName", "arguments"]],
  ["PostToolUse", ["toolResult"]],
  ["PostToolUseFailure", ["toolName", "error"]],
  ["PreToolUse", ["toolArgs"]],
  ["PermissionRequest", ["toolName", "toolInput"]],
  ["PreToolUse", ["toolName"]],
  ["userPromptTransformed", ["transformedPrompt"]],
  ["UserPromptSubmit", ["prompt"]],
  ["ErrorOccurred", ["error"]],
  ["SubagentStop", ["agentName", "stopReason"]],
  ["SubagentStop", ["agentName", "stop_reason"]],
  ["Stop", ["stopReason"]],
  ["SubagentStart", ["agentName"]],
  ["PreCompact", ["trigger"]],
  ["SessionStart", ["source"]],
  ["SessionEnd", ["reason"]],
];

/** The event of a payload in either dialect; `undefined` when nothing in it tells. */
export function copilotEvent(payload: NativePayload): string | undefined {
  const { hook_event_name, hookName } = payload;
  const name = hook_event_name ?? hookName;
  if (typeof name === "string") return withCapital(name);
  if (name !== undefined) return undefined;
  return BY_FIELDS.find(([, fields]) => fields.every((field) => payload[field] !== undefined))?.[0];
}

/** The name of an event as `install` asks for it. */
export function withCapital(name: string): string {
  const capital = OTHER_NAMES.get(name) ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return Object.hasOwn(COPILOT_EVENTS, capital) ? capital : name;
}
