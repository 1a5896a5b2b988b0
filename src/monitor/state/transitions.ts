import { withoutUndefined } from "../../core/base/json.ts";
import type { PromptType } from "../../core/contracts/questions.ts";
import type { EventType, MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentState, AgentStatus } from "../../shared/monitor/monitor.ts";
import { errorTypeOf, readableMessage } from "./error-type.ts";

type Details = Partial<
  Pick<
    AgentStatus,
    | "prompt_type"
    | "question"
    | "error_type"
    | "error_message"
    | "exit_code"
    | "exit_signal"
    | "last_output"
    | "interrupted"
    | "waits_for"
    | "suspended"
  >
>;

export interface Transition {
  readonly to: AgentState;
  /** The states it leads out of. Default: all. */
  readonly from?: readonly AgentState[];
  /** True when it only counts for the agent's present session: an older one may end after a new one began. */
  readonly ends?: true;
  /** True when another process begins: what was known about an earlier one with this name is over. */
  readonly begins?: true;
  /** True when nobody waits for an earlier answer after it: the user is there, or the agent is not. */
  readonly clears?: true;
  /** True when its turn is over: of the hooks that wait, only those of subagents still do. */
  readonly ends_turn?: true;
  readonly details?: (event: MonitorEvent) => Details;
  /** False when the event says nothing new. */
  readonly when?: (status: AgentStatus | undefined, event: MonitorEvent) => boolean;
}

/** An agent that has not ended, as far as anybody knows. */
const LIVING = ["starting", "working", "idle", "prompting", "failed"] as const;

/** The one table of transitions. An event that is not listed changes no state. */
export const TRANSITIONS: Partial<Readonly<Record<EventType, Transition>>> = {
  /** `tenterhook run` has started its program. */
  "agent:launched": { to: "starting", begins: true, clears: true },
  "agent:start": { to: "starting", clears: true },
  /** It was given something to do, or did something. */
  "agent:turn": { to: "working", clears: true },
  /** What it asked was answered, here or in its terminal. */
  "agent:went_on": { to: "working", from: LIVING },
  "agent:answer": { to: "working", from: ["prompting"] },
  /** Its transcript grows although no hook reported that it works. */
  "agent:grew": {
    to: "working",
    from: ["starting", "idle", "failed", "prompting"],
  },
  "agent:stop_blocked": { to: "working" },
  /** Its turn is over, but a subagent or a command that it has started runs on, and continues it. */
  "agent:delegated": { to: "working", from: LIVING, ends: true, details: waitsFor },
  "agent:prompt": { to: "prompting", details: promptDetails, when: isNewPrompt },
  /** Its turn is over. One that failed is over already, though a hook may say so later. */
  "agent:stopped": {
    to: "idle",
    from: ["starting", "working", "idle", "prompting"],
    ends: true,
    ends_turn: true,
  },
  /** Its user has ended the turn, and is at its terminal. */
  "agent:interrupted": {
    to: "idle",
    from: LIVING,
    ends: true,
    clears: true,
    details: () => ({ interrupted: true }),
  },
  /** It waits for its next prompt, as far as it can tell; it may wait for an answer. */
  "agent:idle": { to: "idle", from: ["starting", "working"], ends: true },
  "agent:error": { to: "failed", ends_turn: true, details: errorDetails },
  "agent:exit": { to: "exited", ends: true, clears: true, details: exitDetails, when: isNewExit },
  /** The monitor has started its session again, which has not reported anything yet. */
  "agent:action_ended": {
    to: "starting",
    when: (status, event) =>
      event.route === "resumed" && endsAction(status, event) && !hasReportedSince(status),
  },
  /** Its process is gone, and nobody reported why. */
  "agent:gone": { to: "gone", from: LIVING, clears: true, details: lastOutput },
};

/** What an event does; `undefined` when it changes no state. An idle prompt is no question. */
export function rowOf({ type, prompt_type }: MonitorEvent): Transition | undefined {
  return TRANSITIONS[type === "agent:prompt" && prompt_type === "idle" ? "agent:idle" : type];
}

function promptDetails({ prompt_type = "other", question, suspended, in_memory }: MonitorEvent): Details {
  return {
    prompt_type,
    ...(question === undefined ? {} : { question }),
    // A session that is not stored ends with its process.
    ...(suspended === true && in_memory !== true ? { suspended } : {}),
  };
}

/**
 * Several events may report one prompt: the call of a tool, the request for its permission, and a notification that
 * knows no more than that the agent waits. The last one never replaces a question or a plan.
 */
function isNewPrompt(status: AgentStatus | undefined, event: MonitorEvent): boolean {
  if (status?.state !== "prompting" || isOtherSession(status, event)) return true;
  const next = event.prompt_type ?? "other";
  const saysLess = next === "permission" || next === "other";
  return !(saysLess && SPECIFIC.includes(status.prompt_type));
}

const SPECIFIC: readonly (PromptType | undefined)[] = ["question", "plan_approval"];

export function isOtherSession(status: AgentStatus | undefined, { session_id }: MonitorEvent): boolean {
  return session_id !== undefined && status?.session_id !== undefined && session_id !== status.session_id;
}

/** False for the end of an action that the monitor has not begun, or that has ended already. */
export function endsAction(status: AgentStatus | undefined, { action_id }: MonitorEvent): boolean {
  return status?.pending !== undefined && status.pending.id === action_id;
}

/** True when the agent got into its state after the monitor's action began. */
function hasReportedSince(status: AgentStatus | undefined): boolean {
  return status?.pending !== undefined && status.since > status.pending.time;
}

export function clearsPrompts(status: AgentStatus | undefined, event: MonitorEvent): boolean {
  const { clears, ends } = rowOf(event) ?? {};
  return clears === true && !(ends === true && isOtherSession(status, event));
}

function errorDetails({ error_type, error_message, error_status }: MonitorEvent): Details {
  const told = { status: error_status, type: error_type, message: error_message };
  const shown = error_message === undefined ? {} : { error_message: readableMessage(error_message) };
  return { error_type: errorTypeOf(told), ...shown };
}

/** An agent says that it ends before its exit code is known. */
function isNewExit(status: AgentStatus | undefined, { exit_code }: MonitorEvent): boolean {
  return status?.state !== "exited" || (exit_code !== undefined && status.exit_code === undefined);
}

function exitDetails(event: MonitorEvent): Details {
  const { exit_code, exit_signal } = event;
  return { ...withoutUndefined({ exit_code, exit_signal }), ...lastOutput(event) };
}

function waitsFor({ waits_for }: MonitorEvent): Details {
  return withoutUndefined({ waits_for });
}

function lastOutput({ last_output = "" }: MonitorEvent): Details {
  return last_output === "" ? {} : { last_output };
}
