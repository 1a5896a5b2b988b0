// How it is measured. CPU time, so that the other users of a busy machine count as little as possible. Both sides run
// in turns, each of ours between two of theirs, in batches that are short against the machine's moods but long enough
// to hold their own garbage collections. Each round gives a ratio of neighbours; the median of these is the result.
// What takes longer than a batch by itself gets fewer rounds.

const BATCH_NANOSECONDS = 10_000_000;
const ROUNDS = 60;
const FEWEST_ROUNDS = 15;
const WARM_UP_NANOSECONDS = 1_000_000_000;
const LONGEST_NANOSECONDS = 3_000_000_000;

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
  // Twice: what is compiled while the second warms up may change how the first runs.
  for (const side of [ours, theirs]) await batchOf(side);
  const our = await batchOf(ours);
  const their = await batchOf(theirs);
  const rounds = Math.round(LONGEST_NANOSECONDS / (our.nanoseconds + their.nanoseconds));
  const sides = await sideBySide(
    Math.max(FEWEST_ROUNDS, Math.min(ROUNDS, rounds)),
    () => cpuOf(ours, our.times),
    () => cpuOf(theirs, their.times),
  );
  return { ...sides, unit: "ns" };
}

/**
 * Measures two things in turns.
 *
 * @param {number} rounds
 * @param {() => number | Promise<number>} measureOurs
 * @param {() => number | Promise<number>} measureTheirs
 */
export async function sideBySide(rounds, measureOurs, measureTheirs) {
  const ours = [];
  const theirs = [];
  const ratios = [];
  let before = await measureTheirs();
  for (let round = 0; round < rounds; round += 1) {
    const between = await measureOurs();
    const after = await measureTheirs();
    ours.push(between);
    theirs.push(after);
    ratios.push((2 * between) / (before + after));
    before = after;
  }
  return { ours: median(ours), theirs: median(theirs), ratio: median(ratios) };
}

/**
 * Warms up, and finds out how many times fill a batch.
 *
 * @param {Repeat} repeat
 */
async function batchOf(repeat) {
  let times = 1;
  let each = await cpuOf(repeat, times);
  for (let spent = each; spent < WARM_UP_NANOSECONDS; spent += each * times) {
    times = Math.max(1, Math.min(times * 10, Math.round(BATCH_NANOSECONDS / each)));
    each = await cpuOf(repeat, times);
  }
  return { times, nanoseconds: each * times };
}

/**
 * CPU nanoseconds for each time.
 *
 * @param {Repeat} repeat
 * @param {number} times
 */
async function cpuOf(repeat, times) {
  const before = process.cpuUsage();
  await repeat(times);
  const { user, system } = process.cpuUsage(before);
  return (Math.max(1, user + system) * 1000) / times;
}

/** @param {readonly number[]} samples */
function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}
