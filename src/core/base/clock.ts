/** Time, as the engine needs it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, with a fraction. */
  monotonic(): number;
  /** Calls back after a time, never before it returns. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Looked up once, with the first reading: Node loads a module for it, and the global costs as much as a reading. */
let timer: { now(): number } | undefined;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic() {
    timer ??= performance;
    return timer.now();
  },
  after(milliseconds, callback) {
    // Timers hold at most 2^31 - 1 ms; a longer one would fire immediately.
    const timer = setTimeout(callback, Math.min(milliseconds, 2_147_483_647));
    return () => clearTimeout(timer);
  },
};

let last = { time: Number.NaN, text: "" };

/**
 * ISO string of a time, without fractions of a millisecond. The last string is reused within its millisecond: writing one
 * for each hook takes a quarter of the time of an event with ten hooks.
 */
export function isoTime(milliseconds: number): string {
  const time = Math.floor(milliseconds);
  if (time !== last.time) last = { time, text: new Date(time).toISOString() };
  return last.text;
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
