import { isRecord } from "../../../../core/base/json.ts";
import { callText } from "../../../../monitor/decisions/call-text.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";

/** What an agent asks, why it failed, how it ended, or what it does. */
export function whatOf(agent: AgentStatus): string {
  const { state, question, task = "", waits_for, interrupted, outcome } = agent;
  switch (state) {
    case "prompting":
      return askedText(question);
    case "failed":
      return errorText(agent);
    case "working":
    case "starting":
      return waits_for ?? task;
    case "idle":
      return interrupted === true ? "interrupted" : (outcome ?? "");
    case "exited":
    case "gone":
      return [outcome, endOf(agent), errorText(agent)].filter(Boolean).join(", ");
    default:
      return state satisfies never;
  }
}

function askedText(question: unknown): string {
  const [first] = [question].flat();
  if (isRecord(first) && typeof first.tool_name === "string")
    return callText(first.tool_name, first.tool_input);
  if (isRecord(first)) return String(first.question ?? "");
  return typeof first === "string" ? first : "";
}

function errorText({ error_type, error_message }: AgentStatus): string {
  const kind = error_type === "other" ? undefined : error_type?.replaceAll("_", " ");
  return [kind, error_message].filter((text) => text !== undefined).join(": ");
}

function endOf({ exit_code, exit_signal }: AgentStatus): string | undefined {
  return exit_signal ?? (exit_code === undefined ? undefined : `code ${exit_code}`);
}
