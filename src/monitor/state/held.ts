import { sameJson } from "../../core/base/json.ts";
import type { AgentStatus, HeldPrompt, MonitorEvent } from "../../core/contracts/monitor.ts";
import { clearsPrompts, promptType } from "./transitions.ts";

/** The prompts of an agent that hooks wait at after an event. Several hooks of one agent can wait. */
export function heldAfter(status: AgentStatus, event: MonitorEvent): readonly HeldPrompt[] {
  const { id, time, type, prompt, prompt_type, question, waits_until } = event;
  if (clearsPrompts(status, event)) return [];
  const { held = [] } = status;
  const left = held.filter((one) => one.waits_until > time && (type !== "agent:answer" || one.id !== prompt));
  if (type !== "agent:prompt" || typeof waits_until !== "string") return left;
  const next = { id, since: time, waits_until, prompt_type: promptType(prompt_type) };
  return [...left, { ...next, ...(question === undefined ? {} : { question }) }];
}

/** An agent goes on prompting while a hook of it waits, whatever else it does meanwhile. */
export function stillPrompting(status: AgentStatus, held: readonly HeldPrompt[]): AgentStatus {
  const { held: before = [], ...rest } = status;
  const next = sameJson(before, held) ? status : { ...rest, ...(held.length === 0 ? {} : { held }) };
  const [first] = held;
  if (first === undefined || status.state === "prompting") return next;
  const { since, prompt_type, question } = first;
  return { ...next, state: "prompting", since, prompt_type, ...(question === undefined ? {} : { question }) };
}
