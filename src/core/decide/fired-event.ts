import type { DecisionOption } from "../contracts/questions.ts";
import type { Action } from "../events/effects.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { ContextItem, UserMessage } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { AgentView, Ports } from "../ports.ts";
import type { Limits } from "../registration/limits.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { Registry } from "../registration/registry.ts";
import type { AgentState, SessionState, Sessions, TurnSoFar } from "../session/state.ts";
import type { Deadlines } from "./deadline.ts";
import type { Decision, HookFailure, HookInput, HookRun } from "./decision.ts";
import type { DecisionObserver, RunObserver } from "./observers.ts";

/** What a hook asks a human who can choose. */
export interface AskedChoice {
  /** The hook that asks. */
  readonly hook: string;
  readonly reason?: string;
  readonly options: readonly DecisionOption[];
  /** The event as hooks have left it. */
  readonly event: AnyEvent;
}

/**
 * Has a human choose: the label of an option, a refusal with what is to be done instead (perhaps empty), or nothing when
 * nobody answers.
 */
export type Choose = (
  asked: AskedChoice,
) =>
  | string
  | { readonly refused: string }
  | undefined
  | Promise<string | { readonly refused: string } | undefined>;

/** What a caller gives with the event. */
export interface FireOptions {
  /** Offers the options of a hook that asks with some. Without it such a hook asks for a yes or no. */
  readonly choose?: Choose | undefined;
  /** Ends the running hooks; gates that have not answered by then are closed. */
  readonly signal?: AbortSignal | undefined;
  /** After a cancel, the event waits for its Error hooks until this signal. Without it, they run in the background. */
  readonly late_signal?: (() => AbortSignal) | undefined;
  /** True when there is nothing that hooks could have tried again; or why not, for the user when a hook wants it anyway. */
  readonly no_retry?: boolean | string | undefined;
  /** True when the caller fires PreToolUse for every tool call, so that no event means no call. */
  readonly sees_tool_calls?: boolean | undefined;
  /** What other processes have seen of this turn. */
  readonly turn_so_far?: TurnSoFar | undefined;
  /** The map hooks share; by default the engine has one for each agent of a session. */
  readonly values?: Map<string, unknown> | undefined;
  readonly agent?: AgentView | undefined;
  readonly tool?: unknown;
  /** What a foreign agent sent, as text, for hooks that read it instead of our event. It is not recorded. */
  readonly payload?: string | undefined;
  /** Ceilings and caps that replace those of the set for this event; for the rest the set's apply. */
  readonly limits?: Partial<Limits> | undefined;
  /** Texts that join or start a turn and do not come from a hook of the set; the same ceiling applies to them. */
  readonly hook_inputs?: readonly HookInput[];
}

/** The parts of a hook set that deciding an event needs. */
export interface Engine {
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly observers: Set<RunObserver>;
  readonly decisionObservers: Set<DecisionObserver>;
  readonly ports: Ports;
  /** Read them where they apply: a hook may configure its set while an event is decided. */
  limits: Limits;
  /** The async hooks that are still running, and Error events nobody waits for. */
  readonly background: Set<Promise<void>>;
  /** Decides another event: the Error event about a failure. */
  readonly fire: (event: unknown, options: FireOptions) => Promise<Decision>;
}

/** A hook's verdict. */
export interface Verdict {
  readonly action: Exclude<Action, "continue">;
  readonly reason: string | undefined;
  /** What an allow is about: it counts only if this is the final input. */
  readonly input?: unknown;
}

/** A verdict that a human can replace by choosing an option. */
export interface AskedVerdict {
  readonly hook: RegisteredHook;
  readonly reason: string | undefined;
  readonly options: readonly DecisionOption[];
  readonly verdict: Verdict;
}

/** What the hooks of one event have answered so far, in hook order. */
export interface Collected {
  readonly runs: HookRun[];
  readonly failures: { readonly hook: RegisteredHook; readonly failure: HookFailure }[];
  readonly context: ContextItem[];
  readonly userMessages: UserMessage[];
  hookInputs: HookInput[];
  keepGoing: string[];
  /** Each with what it was given to. */
  readonly answers: { readonly value: unknown; readonly input: unknown }[];
  timeLimit: Decision["time_limit"];
  retry: Decision["retry"];
  ceiling: Decision["ceiling"];
  abort: Decision["abort"];
  /** True when a hook denied that ends the plan by it. */
  isShortCircuited: boolean;
  native: Decision["native"];
  verdicts: Verdict[];
  /** Those of them that came with options. */
  readonly choices: AskedVerdict[];
}

/** Everything about one event while it is being decided. */
export interface FiredEvent {
  readonly engine: Engine;
  readonly known: KnownEvent;
  readonly session: SessionState;
  readonly agent: AgentState;
  readonly options: FireOptions;
  readonly event_id: string;
  /** Created when the first hook has to be waited for. */
  deadlines: Deadlines | undefined;
  /** Wall time and monotonic time of the start; every other time is computed from them. */
  readonly wall: number;
  readonly started: number;
  /** The last reading of the monotonic clock: the end of one hook is the start of the next. */
  reading: number;
  /** Counts the runs, for their ids. */
  runs: number;
  /** The hooks that could match when the event came; later changes of the set apply from the next event on. */
  readonly candidates: readonly RegisteredHook[];
  /** The hooks whose matcher fits, in order. */
  plan: readonly RegisteredHook[];
  /** The event as the hooks so far have rewritten it. */
  event: AnyEvent;
  /** The event before each rewrite, with the place in the plan of the first hook that saw the new one. */
  readonly rewritten: { readonly until: number; readonly event: AnyEvent }[];
  readonly collected: Collected;
  /** What a human chose of a hook's options. */
  chosen: Map<RegisteredHook, string> | undefined;
}
