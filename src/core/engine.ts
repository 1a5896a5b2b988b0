import type { AsyncRuns } from "./async-runs.ts";
import type { WallTime } from "./clock.ts";
import type { Limits } from "./limits.ts";
import type { Lookout } from "./lookout.ts";
import type { Decided, Observers, RunEvent } from "./observers.ts";
import type { Ports } from "./ports.ts";
import type { Raise } from "./raise.ts";
import type { Registry } from "./registry.ts";
import type { Sessions } from "./session-state.ts";

/** What deciding needs to know of a hook set. */
export interface Engine {
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly observers: Observers<RunEvent>;
  readonly decisionObservers: Observers<Decided>;
  readonly ports: Ports;
  limits: Limits;
  readonly asyncRuns: AsyncRuns;
  readonly raise: Raise;
  readonly wallTime: WallTime;
  readonly lookout: Lookout;
}
