import { setEnd, type Waiter } from "./pending-call.ts";
import type { Clock } from "./ports.ts";

/**
 * Looks after hooks that do not answer soon. A hook that answers before the program does anything else needs no end set
 * to it; the others get theirs when the program next comes round to its timers.
 */
export class Lookout {
  private readonly clock: Clock;
  private waiters: Waiter[] = [];
  private readonly look = (): void => {
    const { waiters } = this;
    this.waiters = [];
    for (const waiter of waiters) {
      // It may wait for a hook of another set by now, which has its own lookout.
      if (waiter.lookout !== this) continue;
      waiter.lookout = undefined;
      setEnd(waiter);
    }
  };

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Looks at a waiter before long: at the run it waits for then. */
  add(waiter: Waiter): void {
    waiter.lookout = this;
    this.waiters.push(waiter);
    if (this.waiters.length === 1) this.clock.after(0, this.look);
  }
}
