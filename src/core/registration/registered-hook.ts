import type { FailureKind, FailureMode } from "../events/effects.ts";
import type { EventRow } from "../events/event-row.ts";
import type { Handler, Predicate } from "../ports.ts";
import type { Hook } from "./hook.ts";

export interface HookCounters {
  runs: number;
  denials: number;
  failures: number;
  total_ms: number;
  max_ms: number;
}

/** A hook made ready, to be given to `replace`. */
export type PreparedHook = RegisteredHook;

/** A hook made ready to run. */
export interface RegisteredHook {
  readonly id: number;
  readonly hook: Hook;
  readonly handler: Handler;
  readonly scopeRank: number;
  readonly tool: ((name: string) => boolean) | undefined;
  test: Predicate | undefined;
  /** Until the matcher can be asked. */
  loading: Promise<void> | undefined;
  /** An allow counts only for events of which this is true. */
  readonly covers: Predicate | undefined;
  readonly timeoutMs: number;
  readonly counters: HookCounters;
  enabled: boolean;
  /** True once it was taken out of its set; an event that was being decided then may still ask it. */
  removed: boolean;
}

/** What a hook's failure means on an event. */
export function failureMode(
  hook: Partial<Pick<Hook, "observe" | "async" | "mode" | "on_failure">>,
  row: EventRow,
  kind: FailureKind,
): FailureMode {
  if (hook.observe || hook.async || hook.mode === "shadow") return "open";
  const policy = hook.on_failure;
  const chosen = typeof policy === "object" ? (policy[kind] ?? policy.default) : policy;
  return chosen ?? (row.gate ? "closed" : "open");
}
