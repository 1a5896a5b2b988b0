/** CPU time of this process in microseconds. */
export function cpuNow() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * The CPU time of one call of each function, in microseconds: rounds are interleaved so that a busy machine is busy
 * for all of them, a round lasts long enough for the clock, and the median counts.
 *
 * @param {readonly (() => unknown)[]} functions
 * @param {{ rounds?: number, microseconds?: number }} [options]
 */
export function cpuPerCall(functions, { rounds = 9, microseconds = 40_000 } = {}) {
  const repeats = functions.map((call) => calibrated(call, microseconds));
  const samples = functions.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, call] of functions.entries()) {
      const count = repeats[at] ?? 1;
      const start = cpuNow();
      for (let repeat = 0; repeat < count; repeat += 1) call();
      samples[at]?.push((cpuNow() - start) / count);
    }
  }
  return samples.map(median);
}

/**
 * How much more CPU time the second function takes than the first: each round times one right after the other, so
 * that both meet the same machine, and the median of the rounds counts. Also returns the time of one call of each.
 *
 * @param {() => unknown} first
 * @param {() => unknown} second
 * @param {{ rounds?: number, microseconds?: number }} [options]
 */
export function cpuRatio(first, second, { rounds = 25, microseconds = 8_000 } = {}) {
  const repeats = [first, second].map((call) => calibrated(call, microseconds));
  const times = Array.from({ length: rounds }, () =>
    [first, second].map((call, at) => {
      const count = repeats[at] ?? 1;
      const start = cpuNow();
      for (let repeat = 0; repeat < count; repeat += 1) call();
      return (cpuNow() - start) / count;
    }),
  );
  const [one = 0, other = 0] = [0, 1].map((at) => median(times.map((pair) => pair[at] ?? 0)));
  return { ratio: median(times.map(([a = 1, b = 0]) => b / a)), first: one, second: other };
}

/**
 * How often to call a function for a round of this length; calling it also warms it up.
 *
 * @param {() => unknown} call
 * @param {number} microseconds
 */
function calibrated(call, microseconds) {
  for (let warm = 0; warm < 3; warm += 1) call();
  for (let count = 1; ; count *= 2) {
    const start = cpuNow();
    for (let repeat = 0; repeat < count; repeat += 1) call();
    const spent = cpuNow() - start;
    if (spent >= microseconds / 2 || count > 2 ** 24)
      return Math.max(1, Math.round((count * microseconds) / Math.max(1, spent)));
  }
}
