import { sameJson } from "../../core/base/json.ts";
import type { AgentStatus, HumanRequest, MonitorEvent } from "../../shared/monitor/monitor.ts";
import { isCarriedOut } from "../report/actions.ts";
import { clearsPrompts, endsHolds, promptType } from "../state/transitions.ts";
import { openedBy } from "./open.ts";

/**
 * The decisions of an agent that an event changes, opens or closes. Pure.
 *
 * @param open the agent's open decisions.
 * @param status the agent after the event.
 * @param answered the decision whose answer was carried out, when the event says how that ended.
 */
export function decisionsAfter(
  open: readonly HumanRequest[],
  event: MonitorEvent,
  status: AgentStatus,
  answered?: HumanRequest,
): readonly HumanRequest[] {
  if (event.ok === false && answered?.call !== undefined) return notGiven(answered, open, event);
  if (event.type === "agent:answer")
    return open.filter((one) => isAnsweredBy(one, event)).map((one) => closedBy(one, event));
  const next = openedBy(event, status);
  if (next === undefined) return stale(open, event, status);
  const same = open.find((one) => isSameCause(one, next, event));
  if (same !== undefined) return next.prompt === undefined ? [] : [{ ...same, ...heldBy(next) }];
  const replaced = open.filter((one) => !isHeld(one, event));
  return [...replaced.map((one) => closed(one, "superseded", event, "A newer one of this agent.")), next];
}

/**
 * The answer to a suspended agent that could not be given: a human is asked again, unless the call no longer waits for
 * an answer.
 */
function notGiven(
  decision: HumanRequest,
  open: readonly HumanRequest[],
  event: MonitorEvent,
): readonly HumanRequest[] {
  const { resolved: _, ...asked } = decision;
  const why = typeof event.why === "string" ? event.why : "The answer could not be given.";
  const dismissed = closed(decision, "dismissed", event, why);
  if (event.moot === true || open.some(({ call }) => sameJson(call, decision.call))) return [dismissed];
  const { id, time: created_at } = event;
  const context = [why, asked.context].filter((text) => text !== "").join("\n\n");
  return [dismissed, { ...asked, id, created_at, context, state: "open" }];
}

/** True while a hook waits for the answer: it can be given whatever else the agent does. */
function isHeld({ waits_until = "" }: HumanRequest, { time }: MonitorEvent): boolean {
  return waits_until > time;
}

/**
 * True when both are about one thing: the same question, or a prompt of which only a notification says that there is
 * one, which never replaces a question, a plan or what a hook waits for.
 */
function isSameCause(open: HumanRequest, next: HumanRequest, event: MonitorEvent): boolean {
  const isEqual =
    open.source === next.source &&
    open.context === next.context &&
    sameJson(open.call, next.call) &&
    JSON.stringify(open.questions) === JSON.stringify(next.questions);
  // Two hooks that wait are two prompts.
  if (isEqual) return next.prompt === undefined || !isHeld(open, event);
  if (event.type !== "agent:prompt" || next.prompt !== undefined || next.call !== undefined) return false;
  const isVague = next.source === "permission" || promptType(event.prompt_type) === "other";
  return isVague && (open.source === "question" || open.source === "plan" || isHeld(open, event));
}

function heldBy({ prompt, waits_until }: HumanRequest): Partial<HumanRequest> {
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(waits_until === undefined ? {} : { waits_until }),
  };
}

/** An answer names the prompt of a hook that waits; what continues a suspended agent answers what it waited for. */
function isAnsweredBy({ prompt, suspended }: HumanRequest, event: MonitorEvent): boolean {
  return event.continues === true ? suspended === true : prompt === event.prompt;
}

/** Without an answer, the agent has taken its question back. */
function closedBy(decision: HumanRequest, event: MonitorEvent): HumanRequest {
  const { time, answer } = event;
  const by = typeof event.by === "string" ? event.by : "user";
  if (answer === undefined) return closed(decision, "dismissed", event, by);
  const channel = typeof event.channel === "string" ? event.channel : "emit";
  return { ...decision, state: "resolved", resolved: { at: time, by, channel, answer, delivered: true } };
}

/** What the agent's new state makes needless: it went on by itself, or it has ended. */
function stale(
  open: readonly HumanRequest[],
  event: MonitorEvent,
  status: AgentStatus,
): readonly HumanRequest[] {
  const { state } = status;
  if (state === "prompting") return [];
  const why = state === "exited" || state === "gone" ? "The agent has ended." : "The agent went on.";
  const clears = clearsPrompts(status, event);
  const ended = state === "exited" || state === "gone";
  const isResumed = event.type === "agent:start" && event.source === "resume";
  const isStale = (one: HumanRequest): boolean => {
    // The answer of a suspended agent follows its start.
    if (isResumed && one.suspended === true) return false;
    if (clears) return !(ended && outlivesAgent(one));
    return one.escalated !== true && (endsHolds(status, event) || !isHeld(one, event));
  };
  return open.filter(isStale).map((one) => closed(one, "dismissed", event, why));
}

/** True when the answer needs no living agent. */
function outlivesAgent(decision: HumanRequest): boolean {
  return decision.source !== "question" && isCarriedOut(decision);
}

function closed(
  decision: HumanRequest,
  state: "superseded" | "dismissed",
  { time }: MonitorEvent,
  by: string,
): HumanRequest {
  return { ...decision, state, resolved: { at: time, by, channel: "agent" } };
}
