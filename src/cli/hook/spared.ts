import type { KeptHook } from "../../config/cache/kept.ts";
import type { Decision, HookRun } from "../../core/decide/decision.ts";
import type { Decided } from "../../core/decide/observers.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";

/** A hook whose turn it is at an event. */
export interface Turn {
  readonly name: string;
  /** It has nothing to say for certain, and is not asked. */
  readonly silent: boolean;
}

/** Hooks that need not be asked about an event, since they say nothing to it and nobody changes it on the way. */
export interface Spared {
  readonly hooks: ReadonlySet<KeptHook>;
  /** The hooks whose turn it is, those that are asked among them, in order. */
  readonly turns: readonly Turn[];
}

/** What was decided, and what is to be written down of it. */
export interface Fired {
  readonly decision: Decision;
  readonly decided: readonly Decided[];
}

/** What the hooks that were asked decided, with the runs of those that were spared in their places. */
export function withSpared(fired: Fired, { turns }: Spared): Fired {
  const decided = fired.decided.map(({ event, decision }) => {
    const asked = [...decision.runs];
    const runs = turns.flatMap(({ name, silent }) => (silent ? silentRun(name, event) : asked.splice(0, 1)));
    return { event, decision: { ...decision, runs: [...runs, ...asked] } };
  });
  return { decision: decided[0]?.decision ?? fired.decision, decided };
}

/** The record of a hook that decides by rules of which none holds. */
export function silentRun(name: string, { event_id, timestamp }: AnyEvent): HookRun {
  return { name, handler: "inline", event_id, started_at: timestamp, duration_ms: 0 };
}
