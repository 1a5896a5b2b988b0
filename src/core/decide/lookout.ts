import type { Clock } from "../base/clock.ts";
import { setEnd, type Waiter } from "./pending-call.ts";

/** Timers come round sooner, unless the program is busy or they were lost. Those of a test that fakes them may be. */
const OVERDUE_MILLISECONDS = 10;

/**
 * Looks after hooks that do not answer soon. A hook that answers before the program does anything else needs no end set
 * to it; the others get theirs when the program next comes round to its timers.
 */
export class Lookout {
  private readonly clock: Clock;
  private waiters: Waiter[] = [];
  /** When it asked for a timer, as long as that has not come. */
  private asked = Number.NEGATIVE_INFINITY;
  private readonly look = (): void => {
    const { waiters } = this;
    this.waiters = [];
    this.asked = Number.NEGATIVE_INFINITY;
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

  /** True when no timer is known to come, at a reading of the clock. */
  isOverdue(reading: number): boolean {
    return reading - this.asked > OVERDUE_MILLISECONDS;
  }

  /** Looks at a waiter before long: at the run it waits for then. */
  add(waiter: Waiter, reading: number): void {
    if (waiter.lookout !== this) {
      waiter.lookout = this;
      this.waiters.push(waiter);
    }
    if (!this.isOverdue(reading)) return;
    this.asked = reading;
    this.clock.after(0, this.look);
  }
}
