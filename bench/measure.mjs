// How it is measured. What runs in this process: CPU time, so that the other users of a busy machine count as little as
// possible. Both sides run in turns, each of ours between two of theirs, in batches that are short against the machine's
// moods but long enough to hold their own garbage collections. Each round gives a ratio of neighbours; the median of these
// is the result. What takes longer than a batch by itself gets fewer rounds. What starts programs: see `inTurns`.

const BATCH_NANOSECONDS = 10_000_000;
const ROUNDS = 40;
const FEWEST_ROUNDS = 9;
const WARM_UP_NANOSECONDS = 400_000_000;
const LONGEST_NANOSECONDS = 1_000_000_000;

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
 * @param {number} [warmUp] Nanoseconds; more for a large program, which takes longer to be compiled.
 * @returns {Promise<import("./benchmark.mjs").Figures>} CPU nanoseconds for each time
 */
export async function compare(ours, theirs, warmUp = WARM_UP_NANOSECONDS) {
  // Twice: what is compiled while the second warms up may change how the first runs.
  for (const side of [ours, theirs]) await batchOf(side, warmUp);
  const our = await batchOf(ours, warmUp);
  const their = await batchOf(theirs, warmUp);
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
 * Compares two things that start programs, in milliseconds on the clock, since that is mostly waiting, which CPU time does
 * not show. They run in turns, and of each the lower quartile counts: a slower run waited for other users of the machine.
 *
 * @param {number} rounds
 * @param {() => Promise<number>} ours Resolves to its milliseconds, as the others do.
 * @param {() => Promise<number>} theirs
 * @param {() => Promise<number>} [without] Is subtracted from ours.
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
export async function inTurns(rounds, ours, theirs, without) {
  const sides = [ours, theirs, ...(without === undefined ? [] : [without])].map((run) => ({
    run,
    samples: /** @type {number[]} */ ([]),
  }));
  for (const { run } of sides) await run();
  for (let round = 0; round < rounds; round += 1)
    for (const { run, samples } of sides) samples.push(await run());
  const [our = Number.NaN, their = Number.NaN, less = 0] = sides.map(({ samples }) => lowerQuartile(samples));
  return { ours: our - less, theirs: their, ratio: (our - less) / their, unit: "ms" };
}

/**
 * Warms up, and finds out how many times fill a batch.
 *
 * @param {Repeat} repeat
 * @param {number} warmUp
 */
async function batchOf(repeat, warmUp) {
  let times = 1;
  let each = await cpuOf(repeat, times);
  for (let spent = each; spent < warmUp; spent += each * times) {
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
  return sorted(samples)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

/** @param {readonly number[]} samples */
function lowerQuartile(samples) {
  return sorted(samples)[Math.floor(samples.length / 4)] ?? Number.NaN;
}

/** @param {readonly number[]} samples */
function sorted(samples) {
  return [...samples].sort((a, b) => a - b);
}
