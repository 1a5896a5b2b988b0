import { withoutUndefined } from "../../core/base/json.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, HeldPrompt } from "../../shared/monitor/monitor.ts";
import { clearsPrompts, isOtherSession, rowOf } from "./transitions.ts";

/** The prompts of an agent that hooks wait at after an event. Several hooks of one agent can wait. */
export function heldAfter(status: AgentStatus, event: MonitorEvent): readonly HeldPrompt[] {
  if (clearsPrompts(status, event)) return [];
  const { held = [] } = status;
  const left = held
    .filter(({ waits_until }) => waits_until === undefined || waits_until > event.time)
    .filter((one) => !isOver(one, status, event))
    .map((one) => withNewEnd(one, event));
  const { id, time, prompt_type = "other", question, waits_until, call_key, subagent } = event;
  if (!isHeldPrompt(event)) return left;
  return [
    ...left,
    {
      id,
      since: time,
      prompt_type,
      ...withoutUndefined({ waits_until, question, call_key, subagent }),
    },
  ];
}

/** The prompts whose hook has replied with an answer, until their call has a result or the turn is over. */
export function givenAfter(status: AgentStatus, event: MonitorEvent): readonly HeldPrompt[] {
  const { held = [], given = [] } = status;
  if (clearsPrompts(status, event)) return [];
  const { type, prompt, given_at, taken, call_key, result } = event;
  const isReply = type === "agent:answer" && given_at !== undefined && taken !== true;
  const isDone = (one: HeldPrompt): boolean =>
    one.call_key === undefined
      ? rowOf(event) !== undefined
      : (result !== undefined && one.call_key === call_key) ||
        (rowOf(event)?.ends_turn === true && isOfTurn(one, status, event));
  return [...given.filter((one) => !isDone(one)), ...held.filter(({ id }) => isReply && id === prompt)];
}

/** True for a prompt that somebody waits at, until a time or as long as the agent does. */
export function isHeldPrompt({ type, asker, waits_until }: MonitorEvent): boolean {
  return type === "agent:prompt" && (asker ?? waits_until) !== undefined;
}

/** True when nobody waits at a prompt after this event: somebody has answered, or the agent has gone on. */
function isOver(one: HeldPrompt, status: AgentStatus, event: MonitorEvent): boolean {
  const { type, prompt, call_key } = event;
  switch (type) {
    case "agent:answer":
    case "agent:wait_over":
      return one.id === prompt;
    case "agent:went_on":
      return call_key !== undefined && one.call_key === call_key;
    default:
      return rowOf(event)?.ends_turn === true && isOfTurn(one, status, event);
  }
}

/** True when the prompt ends with the agent's turn. Its subagents may go on, and our own agent says itself what ends. */
function isOfTurn({ subagent }: HeldPrompt, status: AgentStatus, event: MonitorEvent): boolean {
  return subagent === undefined && status.host !== "tenterhook" && !isOtherSession(status, event);
}

/** A hook waits longer when its user goes away, and shorter when they come back. */
function withNewEnd(one: HeldPrompt, { type, prompt, waits_until }: MonitorEvent): HeldPrompt {
  const isMeant = type === "agent:waits" && one.id === prompt;
  return isMeant && waits_until !== undefined ? { ...one, waits_until } : one;
}
