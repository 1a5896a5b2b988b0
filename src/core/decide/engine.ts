import type { WallTime } from "../base/clock.ts";
import type { Ports } from "../ports.ts";
import type { Limits } from "../registration/limits.ts";
import type { Registry } from "../registration/registry.ts";
import type { Sessions } from "../session/state.ts";
import type { AsyncRuns } from "./async-runs.ts";
import type { Raise } from "./failures.ts";
import type { Lookout } from "./lookout.ts";
import type { Decided, Observers, RunEvent } from "./observers.ts";

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
