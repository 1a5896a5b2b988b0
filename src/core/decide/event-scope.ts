import { isoTime } from "../base/clock.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { AgentView, Ports } from "../ports.ts";
import type { Limits } from "../registration/limits.ts";
import type { AgentState, SessionState } from "../session/state.ts";
import { Cancellation, isAborted } from "./cancellation.ts";
import type { HookInput } from "./decision.ts";
import type { Lookout } from "./lookout.ts";
import type { Observers, RunEvent } from "./observers.ts";

/** What the caller gives beside the event. */
export interface FireOptions {
  /** Ends the running hooks; gates that have not answered then are closed. */
  readonly signal?: AbortSignal | undefined;
  /** Says whether the signal is aborted, for a caller that knows: a loop asks often, and signals are slow to answer. */
  readonly aborted?: { readonly already: boolean } | undefined;
  /** Ends the Error hooks that hear of a cancel, who are waited for then. Without it nobody waits for them. */
  readonly late_signal?: (() => AbortSignal) | undefined;
  /** True when there is nothing that hooks could have tried again. */
  readonly no_retry?: boolean;
  /** True when the caller fires PreToolUse for every tool call, so that none means that there was none. */
  readonly sees_tool_calls?: boolean | undefined;
  /** The map hooks share; by default the engine keeps one for each agent of a session. */
  readonly values?: Map<string, unknown> | undefined;
  readonly agent?: AgentView | undefined;
  readonly tool?: unknown;
  /** Ceilings and caps that go for this event in place of the set's; the others are the set's. */
  readonly limits?: Partial<Limits> | undefined;
  /** Texts that join or start a turn and come from elsewhere than a hook of the set; the same ceiling holds for them. */
  readonly hook_inputs?: readonly HookInput[];
}

/** All that belongs to one event while it is being decided. */
export interface FireScope {
  readonly known: KnownEvent;
  readonly ports: Ports;
  readonly limits: Limits;
  readonly observers: Observers<RunEvent>;
  readonly lookout: Lookout;
  readonly session: SessionState;
  readonly agent: AgentState;
  readonly options: FireOptions;
  readonly event_id: string;
  /** Wall time and monotonic time of the start; every other time is reckoned from them. */
  readonly wall: number;
  readonly started: number;
  /** The last reading of the monotonic clock. The end of one hook is the start of the next, so it is read once. */
  reading: number;
  /** Counts the runs, for their ids. */
  runs: number;
  /** Made when the first hook has to be waited for. */
  cancellation: Cancellation | undefined;
}

/** Calls back when the caller cancels; answers a function that takes the call back. */
export function onCancel(scope: FireScope, callback: () => void): () => void {
  const { signal } = scope.options;
  if (signal === undefined) return () => {};
  scope.cancellation ??= new Cancellation(signal);
  return scope.cancellation.add(callback);
}

/** True when the caller has cancelled. */
export function isCancelled({ options }: FireScope): boolean {
  return options.aborted === undefined ? isAborted(options.signal) : options.aborted.already;
}

/** Reads the clock. */
export function readClock(scope: FireScope): number {
  scope.reading = scope.ports.clock.monotonic();
  return scope.reading;
}

/** The ISO time of a reading of the monotonic clock. */
export function timeOf(scope: FireScope, reading: number): string {
  return isoTime(scope.wall + (reading - scope.started));
}

/** The map hooks share. */
export function valuesOf(scope: FireScope): Map<string, unknown> {
  if (scope.options.values !== undefined) return scope.options.values;
  scope.agent.values ??= new Map();
  return scope.agent.values;
}
