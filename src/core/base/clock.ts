/** Time, as the engine needs it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, with a fraction. */
  monotonic(): number;
  /**
   * Calls back after a time, never before it returns; answers a function that takes the call back. While a clock stands
   * still, a hook that takes long is ended neither by its deadline nor by the caller's signal.
   */
  after(milliseconds: number, callback: () => void): () => void;
}

let monotonicNow: (() => number) | undefined;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic() {
    // Bound once, since looking it up for each reading costs a third more; and not before the first reading, since
    // Node loads a module for it.
    monotonicNow ??= performance.now.bind(performance);
    return monotonicNow();
  },
  after(milliseconds, callback) {
    // Timers hold at most 2^31 - 1 ms; longer would fire at once.
    const timer = setTimeout(callback, Math.min(milliseconds, 2_147_483_647));
    return () => clearTimeout(timer);
  },
};

/**
 * Tells the wall time of readings of the monotonic clock. Reads the wall clock a hundred times a second at most: it
 * follows when that clock is set, and costs next to nothing.
 */
export class WallTime {
  private readonly clock: Clock;
  private readAt = Number.NEGATIVE_INFINITY;
  private offset = Number.NaN;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Milliseconds since 1970 at a reading just taken. */
  at(reading: number): number {
    if (reading - this.readAt >= 10) {
      const offset = this.clock.now() - reading;
      // The wall clock tells whole milliseconds. Less than that is no change, and times must not go back for it.
      this.offset = Math.abs(offset - this.offset) < 2 ? this.offset : offset;
      this.readAt = reading;
    }
    return this.offset + reading;
  }
}

let lastBegun = Number.NaN;
let lastPrefix = "";
let lastTime = Number.NaN;
let lastText = "";

/** ISO text of a time. Remembers all but the last digit of what it wrote last: events come in bursts and `toISOString` is dear. */
export function isoTime(milliseconds: number): string {
  const time = Math.floor(milliseconds);
  if (time === lastTime) return lastText;
  const begun = Math.floor(time / 10) * 10;
  if (begun !== lastBegun) {
    lastPrefix = new Date(begun).toISOString().slice(0, -2);
    lastBegun = begun;
  }
  lastTime = time;
  lastText = `${lastPrefix}${time - begun}Z`;
  return lastText;
}

/** Ids that are unique among processes by a random start and inside one by a counter. */
export function idSequence(now: number, random: () => number = Math.random): () => string {
  const start = `${now.toString(36)}${Math.floor(random() * 2 ** 48).toString(36)}`;
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count}`;
  };
}
