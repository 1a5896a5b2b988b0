import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { readQuestion } from "../../core/contracts/questions.ts";
import type { DecisionSource } from "../../shared/monitor/decisions.ts";
import type { MonitorEvent, SaidFields } from "../../shared/monitor/events.ts";
import type { AgentStatus, HumanRequest } from "../../shared/monitor/monitor.ts";
import type { PendingAction } from "../../shared/monitor/pending-action.ts";
import { type ActionName, REPEATED, type TriggerName } from "../../shared/monitor/triggers.ts";
import { doesFor, SOURCES } from "./sources.ts";

/** The event that the monitor acts, and the one that says how it ended. */
export const ACTION = "agent:action";
export const ACTION_ENDED = "agent:action_ended";

/** What a human is asked when a trigger escalates. */
const SOURCE_OF_TRIGGER: Readonly<Record<TriggerName, DecisionSource>> = {
  on_prompt: "question",
  on_idle: "idle",
  on_dead: "dead",
  on_error: "error",
  on_stop: "idle",
};

/** What an action does: something outside of the store, or only an outcome in it. */
const EFFECTS: Readonly<
  Record<ActionName, { readonly outside?: true; readonly outcome?: "done" | "failed" }>
> = {
  escalate: {},
  answer: {},
  nudge: { outside: true },
  resume: { outside: true },
  check: { outside: true },
  auto: { outside: true },
  done: { outcome: "done" },
  fail: { outcome: "failed" },
};

/** The trigger whose check an event is about: its own, or that of the check which is run again. */
export function checkOwner({ trigger, check_of = trigger }: MonitorEvent): {
  readonly check_of?: TriggerName;
} {
  return withoutUndefined({ check_of });
}

/** What an action changes about its agent, apart from its state. */
export function afterAction(status: AgentStatus, event: MonitorEvent): AgentStatus {
  const { action, trigger } = event;
  if (action === undefined) return status;
  const { outcome } = EFFECTS[action];
  const pending = event.in_hook === true ? undefined : pendingIn(event, action);
  const { outcome: before, ...rest } = status;
  return {
    ...rest,
    // What goes on has no outcome yet.
    ...(before === undefined || action === "nudge" || action === "resume" ? {} : { outcome: before }),
    ...(trigger === undefined ? {} : counted(status, trigger, event)),
    ...(trigger === undefined || REPEATED.includes(action) ? {} : { handled: true }),
    ...withoutUndefined({ outcome, pending }),
  };
}

function counted({ attempts }: AgentStatus, trigger: TriggerName, { attempt, time }: MonitorEvent) {
  return attempt !== undefined
    ? { attempts: { ...attempts, [trigger]: { count: attempt, last: time } } }
    : {};
}

function pendingIn(event: MonitorEvent, action: ActionName): PendingAction | undefined {
  if (EFFECTS[action].outside !== true) return undefined;
  const { id, time, trigger, message, run, timeout, asked, answer, decision } = event;
  return {
    ...{ id, time, action, source: sourceOf(event) },
    trigger,
    message,
    run,
    timeout,
    asked,
    answer,
    decision,
    ...(action === "check" ? checkOwner(event) : {}),
  };
}

export function afterEnd(status: AgentStatus, event: MonitorEvent): AgentStatus {
  const { pending, ...rest } = status;
  if (pending === undefined || pending.id !== event.action_id) return status;
  const next = { ...rest, ...endedNow(status, pending, event) };
  return pending.action === "check" && event.ok === true ? { ...next, outcome: "done" } : next;
}

/** The time until the next attempt counts from the end of this one. */
function endedNow({ attempts }: AgentStatus, { trigger }: PendingAction, { time }: MonitorEvent) {
  const known = trigger && attempts?.[trigger];
  return known ? { attempts: { ...attempts, [trigger]: { ...known, last: time } } } : {};
}

/** What a human is asked about an action, or when it fails. */
export function sourceOf(event: MonitorEvent): DecisionSource {
  if (event.action === "check" || event.run !== undefined) return "check";
  const { trigger, source } = event;
  if (trigger !== undefined) return SOURCE_OF_TRIGGER[trigger];
  return source === "error" || source === "dead" ? source : "idle";
}

/** True for a decision whose answer the monitor carries out itself: no hook has to wait for it. */
export function isCarriedOut({ source, prompt, escalated, call }: HumanRequest): boolean {
  if (prompt !== undefined) return false;
  if (call !== undefined || source === "session") return true;
  return source === "question"
    ? escalated === true
    : SOURCES[source].options.some(({ does }) => typeof does === "object");
}

/** What a human's answer makes the monitor do; `undefined` when it travels to a hook that waits. */
export function actionFor(decision: HumanRequest): SaidFields | undefined {
  const { source, resolved, check } = decision;
  const answer = resolved?.answer;
  if (!isCarriedOut(decision)) return undefined;
  if (decision.call !== undefined)
    return { action: "resume", answer: { ...decision.call, ...answerOf(decision) }, asked: true, source };
  if (source === "question") return { action: "nudge", message: String(answer), asked: true, source };
  if (!isRecord(answer) || typeof answer.choice !== "string") return undefined;
  const does = doesFor(source, answer.choice);
  if (typeof does !== "object") return undefined;
  return {
    action: does.action,
    asked: true,
    source,
    ...(does.message === undefined ? {} : { message: answer.message ?? does.message }),
    ...(does.action === "check" ? check : {}),
  };
}

/** An answer as `tenterhook sessions resume --answer` reads it, never in words: the words of a refusal may look like a yes. */
function answerOf({ source, questions = [], resolved }: HumanRequest) {
  const answer = resolved?.answer;
  if (source !== "question") return { approval: answer };
  const given = [answer].flat();
  const texts = questions.map((one, at) => [readQuestion(one).question ?? "", given[at]]);
  return { answers: Object.fromEntries(texts) };
}
