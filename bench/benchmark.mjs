/**
 * What one measurement gave: both figures in one unit, of one run on one machine. Only their ratio means something
 * elsewhere.
 *
 * @typedef {object} Figures
 * @property {number} ours
 * @property {number} theirs
 * @property {number} ratio Of the two, measured side by side; not the quotient of the figures, which are medians.
 * @property {"ns" | "ms"} unit
 *
 * A named claim about speed: the ratio is at most `bound`. A file `*.bench.mjs` exports a list of them.
 *
 * @typedef {object} Benchmark
 * @property {string} name
 * @property {string} against What `theirs` is.
 * @property {number} bound
 * @property {number} [orAtMost] In the figures' unit: the claim holds too when `ours` is not above it.
 * @property {readonly string[]} [peers] Packages of bench/peers it needs.
 * @property {() => Promise<Figures>} measure Runs in a process of its own.
 *
 * @typedef {Omit<Benchmark, "measure" | "peers"> & Figures & { holds: boolean }} Result
 */

/**
 * @param {Benchmark} benchmark
 * @param {Figures} figures
 * @returns {Result}
 */
export function judge({ name, against, bound, orAtMost }, { ours, theirs, ratio, unit }) {
  const holds = ratio <= bound || (orAtMost !== undefined && ours <= orAtMost);
  return {
    name,
    against,
    bound,
    ...(orAtMost !== undefined && { orAtMost }),
    ours,
    theirs,
    unit,
    ratio,
    holds,
  };
}
