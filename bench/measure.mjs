// How it is measured. CPU time of the process, so that the other users of a busy machine count as little as possible.
// Both sides run in turns in one process, in batches that are short against the machine's moods but long enough to
// hold their own garbage collections; which side begins changes every round. Of all batches of a side a low percentile
// counts: noise only ever adds.

const BATCH_NANOSECONDS = 10_000_000;
const ROUNDS = 60;
const WARM_UP_ROUNDS = 15;

/**
 * Runs something so many times, one after the other.
 *
 * @typedef {(times: number) => Promise<void>} Repeat
 */

/**
 * Compares two things that run in this process.
 *
 * @param {Repeat} ours
 * @param {Repeat} theirs
 * @returns {Promise<import("./benchmark.mjs").Figures>} CPU nanoseconds for each time
 */
export async function compare(ours, theirs) {
  const sides = [await calibrated(ours), await calibrated(theirs)];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      side.samples.push((await cpuOf(side.repeat, side.times)) / side.times);
  }
  const [first = Number.NaN, second = Number.NaN] = sides.map(({ samples }) => low(samples, 0.25));
  return { ours: first, theirs: second, unit: "ns" };
}

/**
 * Warms up, and finds out how many times fill a batch.
 *
 * @param {Repeat} repeat
 */
async function calibrated(repeat) {
  let times = 100;
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    const each = (await cpuOf(repeat, times)) / times;
    times = Math.max(100, Math.min(times * 10, Math.round(BATCH_NANOSECONDS / each)));
  }
  /** @type {number[]} */
  const samples = [];
  return { repeat, times, samples };
}

/**
 * @param {Repeat} repeat
 * @param {number} times
 */
async function cpuOf(repeat, times) {
  const before = process.cpuUsage();
  await repeat(times);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system) * 1000;
}

/**
 * @param {readonly number[]} samples
 * @param {number} share Of the samples that are lower.
 */
export function low(samples, share) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length * share)] ?? Number.NaN;
}
