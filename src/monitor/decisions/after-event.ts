import { isRecord, sameJson, withoutUndefined } from "../../core/base/json.ts";
import { yesOrNo } from "../../core/base/yes-or-no.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, AnswerFate, HumanRequest, Resolution } from "../../shared/monitor/monitor.ts";
import { ACTION_ENDED, isCarriedOut, sourceOf } from "../report/actions.ts";
import { AT_TERMINAL, CALL_CHANGED, NO_LONGER_ASKED, NOBODY } from "../report/endings.ts";
import { answersTo } from "../report/prompt-answer.ts";
import { clearsPrompts, rowOf } from "../state/transitions.ts";
import { openedBy } from "./open.ts";
import { answerWritten } from "./resolve.ts";

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
  const [over, left] = parted(open, (one) => isWaiting(one) && !isHeld(one, status));
  const isStanding = event.type === "agent:wait_over" && status.state === "prompting";
  const ended = over.map((one) =>
    isStanding ? atTerminal(one) : closed(one, "dismissed", event, endingOf(one, event, status)),
  );
  const [replaced, rest] = parted(left, (one) => isReplacedBy(one, event));
  const changed = replaced.map((one) => closed(one, "superseded", event, CALL_CHANGED));
  return [...ended, ...changed, ...withNext(rest, event, status)];
}

/** True as long as a hook waits at it, as far as its events say. */
function isWaiting({ prompt, at_terminal }: HumanRequest): boolean {
  return prompt !== undefined && at_terminal !== true;
}

/** The hook has stopped waiting, and the agent's own dialog is still open. A late answer no longer reaches the agent. */
function atTerminal({ resolved: _, ...decision }: HumanRequest): HumanRequest {
  return { ...decision, state: "open", at_terminal: true };
}

/** True when the agent asks about the same call with another input. */
function isReplacedBy({ tool_use_id, call_digest }: HumanRequest, event: MonitorEvent): boolean {
  const { type, call_key } = event;
  return (
    type === "agent:prompt" &&
    tool_use_id !== undefined &&
    event.tool_use_id === tool_use_id &&
    !isSameOrUnknown(call_digest, call_key)
  );
}

/** The same for decisions that no hook waits for, or that one still waits for. */
function withNext(
  open: readonly HumanRequest[],
  event: MonitorEvent,
  status: AgentStatus,
): readonly HumanRequest[] {
  if (event.type === "agent:waits") return open.flatMap((one) => movedBy(one, event));
  // An earlier attempt has asked for it, in vain: this one has worked.
  if (event.type === ACTION_ENDED && event.ok === true && event.asked !== true)
    return open
      .filter(({ escalated, source }) => escalated === true && source === sourceOf(event))
      .map((one) => closed(one, "dismissed", event, TRIED));
  const next = openedBy(event, status);
  if (next === undefined) return stale(open, event, status);
  const same = open.find((one) => isSameCause(one, next, event, status));
  const { prompt, waits_until } = next;
  if (same !== undefined) {
    const { at_terminal: _, ...asked } = same;
    return prompt === undefined ? [] : [{ ...asked, prompt, ...withoutUndefined({ waits_until }) }];
  }
  const replaced = open.filter((one) => !isHeld(one, status));
  return [...replaced.map((one) => closed(one, "superseded", event, NEWER)), next];
}

const TRIED = { by: "The monitor tried again, and it worked.", channel: "agent" } as const;
const NEWER = { by: "The agent asks something newer.", channel: "agent" } as const;

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((one) => !isFirst(one))];
}

function movedBy(decision: HumanRequest, { prompt, waits_until }: MonitorEvent): readonly HumanRequest[] {
  return decision.prompt === prompt && waits_until !== undefined ? [{ ...decision, waits_until }] : [];
}

type Ending = Pick<Resolution, "by" | "channel">;

/** Why no hook waits for the answer any more. */
function endingOf(
  { waits_until, at_terminal }: HumanRequest,
  event: MonitorEvent,
  status: AgentStatus,
): Ending {
  const { type, time, by } = event;
  if (type === "agent:interrupted") return { ...NO_LONGER_ASKED, ...withoutUndefined({ by }) };
  if (type === "agent:went_on") return AT_TERMINAL;
  const isOver = at_terminal !== true && waits_until !== undefined && waits_until <= time;
  if (type === "agent:wait_over" || isOver) return NOBODY;
  return wentOn(status);
}

function wentOn({ state }: AgentStatus): Ending {
  const hasEnded = state === "exited" || state === "gone";
  return { by: hasEnded ? "The agent has ended." : "The agent went on.", channel: "agent" };
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
  const { id, time: created_at, why = "The answer could not be given." } = event;
  const dismissed = closed(decision, "dismissed", event, { by: why, channel: "agent" });
  if (event.moot === true || open.some(({ call }) => sameJson(call, decision.call))) return [dismissed];
  const context = [why, asked.context].filter((text) => text !== "").join("\n\n");
  return [dismissed, { ...asked, id, created_at, context, state: "open" }];
}

/** True while a hook waits for the answer: it can be given whatever else the agent does. */
function isHeld({ prompt }: HumanRequest, { held = [] }: AgentStatus): boolean {
  return prompt !== undefined && held.some(({ id }) => id === prompt);
}

/**
 * True when both are about one thing: the same question, or a prompt of which only a notification says that there is
 * one, which never replaces a question, a plan or what a hook waits for.
 */
function isSameCause(
  open: HumanRequest,
  next: HumanRequest,
  event: MonitorEvent,
  status: AgentStatus,
): boolean {
  const isEqual =
    open.source === next.source &&
    open.context === next.context &&
    sameJson(open.call, next.call) &&
    // What is shown of two calls may be the same where it is cut.
    isSameOrUnknown(open.call_digest, next.call_digest) &&
    JSON.stringify(open.questions) === JSON.stringify(next.questions);
  // Two hooks that wait are two prompts.
  if (isEqual) return next.prompt === undefined || !isHeld(open, status);
  if (event.type !== "agent:prompt" || next.prompt !== undefined || next.call !== undefined) return false;
  const isVague = next.source === "permission" || (event.prompt_type ?? "other") === "other";
  const isKnown = open.source === "question" || open.source === "plan" || open.at_terminal === true;
  return isVague && (isKnown || isHeld(open, status));
}

function isSameOrUnknown(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** An answer names the prompt of a hook that waits; what continues a suspended agent answers what it waited for. */
function isAnsweredBy({ prompt, suspended }: HumanRequest, event: MonitorEvent): boolean {
  return event.continues === true ? suspended === true : prompt === event.prompt;
}

/** Without an answer, the agent has taken its question back. */
function closedBy(decision: HumanRequest, event: MonitorEvent): HumanRequest {
  const { time, given_at, at = time, by = "user", channel = "emit" } = event;
  const { resolved: known } = decision;
  // What was answered here nobody else says, least of all to the hook that asks again.
  const fate = given_at !== undefined && event.taken !== true ? "given" : "taken";
  if (given_at !== undefined && event.machine === undefined)
    return known !== undefined && known.at === event.at
      ? { ...decision, resolved: { ...known, fate, given_at } }
      : decision;
  const answer = answerWritten(decision.questions, event.answer);
  if (answer === undefined) return closed(decision, "dismissed", event, { by, channel: "agent" });
  const resolved = { at, by, channel, answer, fate, given_at } as const;
  return { ...decision, state: "resolved", resolved };
}

/** What the agent's new state makes needless: it went on by itself, or it has ended. */
function stale(
  open: readonly HumanRequest[],
  event: MonitorEvent,
  status: AgentStatus,
): readonly HumanRequest[] {
  const { state } = status;
  if (state === "prompting") return [];
  const clears = clearsPrompts(status, event);
  const ended = state === "exited" || state === "gone";
  const isResumed = event.type === "agent:start" && event.source === "resume";
  const isStale = (one: HumanRequest): boolean => {
    // The answer of a suspended agent follows its start.
    if (isResumed && one.suspended === true) return false;
    return clears ? !(ended && outlivesAgent(one)) : !(one.escalated === true || isHeld(one, status));
  };
  return open
    .filter(isStale)
    .map((one) =>
      closed(
        one,
        "dismissed",
        event,
        one.at_terminal === true ? endingOf(one, event, status) : wentOn(status),
      ),
    );
}

/** True when the answer needs no living agent. */
function outlivesAgent(decision: HumanRequest): boolean {
  return decision.source !== "question" && isCarriedOut(decision);
}

function closed(
  decision: HumanRequest,
  state: "superseded" | "dismissed",
  { time }: MonitorEvent,
  { by, channel }: Ending,
): HumanRequest {
  return { ...decision, state, resolved: { at: time, by, channel } };
}

/** Decisions whose answer a hook has replied with, as far as an event shows what their agent made of it. Pure. */
export function fatesAfter(given: readonly HumanRequest[], event: MonitorEvent): readonly HumanRequest[] {
  return given.flatMap((decision) => {
    const { resolved } = decision;
    const fate = resolved?.fate === "given" ? fateAfter(decision, event) : undefined;
    return resolved === undefined || fate === undefined
      ? []
      : [{ ...decision, resolved: { ...resolved, fate } }];
  });
}

function fateAfter(decision: HumanRequest, event: MonitorEvent): AnswerFate | undefined {
  const { call_digest, resolved } = decision;
  const isRefused = refuses(resolved?.answer);
  if (call_digest === undefined) return rowOf(event) === undefined ? undefined : "taken";
  if (event.call_key === call_digest && event.result !== undefined) {
    const isUsed = isRefused
      ? event.result !== "ran"
      : event.result !== "refused" && isSameAnswer(decision, event);
    return isUsed ? "taken" : "unused";
  }
  // A call without a result until its turn is over did not run.
  return isRefused && rowOf(event)?.ends_turn === true ? "taken" : undefined;
}

function refuses(answer: unknown): boolean {
  return isRecord(answer) ? answer.allow === false : yesOrNo(answer) === false;
}

/** False when a question was answered differently at the agent's terminal. */
function isSameAnswer({ questions, resolved }: HumanRequest, { answers }: MonitorEvent): boolean {
  if (questions === undefined || answers === undefined) return true;
  const given = Object.entries(answersTo(questions, resolved?.answer) ?? {});
  // A default has a mark behind it.
  return given.every(([question, answer]) => String(answers[question] ?? answer).startsWith(answer));
}
