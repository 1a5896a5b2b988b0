/**
 * What one measurement gave: both figures in one unit, of one run on one machine. Only their ratio means something
 * elsewhere.
 *
 * @typedef {object} Figures
 * @property {number} ours
 * @property {number} theirs
 * @property {number} ratio Of ours to theirs, measured side by side; not the quotient of the figures, which are medians.
 * @property {"ns" | "ms" | "bytes"} unit
 *
 * A named claim about speed: ours costs at most `bound` times what theirs does, or with `atLeast` theirs costs at least
 * `bound` times what ours does. A file `*.bench.mjs` exports a list of them.
 *
 * @typedef {object} Benchmark
 * @property {string} name
 * @property {string} against What `theirs` is.
 * @property {number} bound
 * @property {boolean} [atLeast] The claim is that ours is faster by this factor.
 * @property {number} [orAtMost] In the figures' unit: the claim holds too when `ours` is not above it.
 * @property {true} [long] It takes minutes, so it runs only when its file is named.
 * @property {readonly string[]} [peers] Packages of bench/peers it needs.
 * @property {() => Promise<string | undefined>} [skip] Why it can't be measured here, if it can't.
 * @property {() => Promise<Figures>} measure Runs in a process of its own.
 *
 * @typedef {Omit<Benchmark, "measure" | "peers" | "skip"> & Figures & { holds: boolean }} Result
 */

/**
 * @param {Benchmark} benchmark
 * @param {Figures} figures
 * @returns {Result}
 */
export function judge({ name, against, bound, atLeast, orAtMost }, { ours, theirs, ratio, unit }) {
  const inBound = atLeast === true ? 1 / ratio >= bound : ratio <= bound;
  const holds = inBound || (orAtMost !== undefined && ours <= orAtMost);
  return {
    name,
    against,
    bound,
    ...(atLeast !== undefined && { atLeast }),
    ...(orAtMost !== undefined && { orAtMost }),
    ours,
    theirs,
    unit,
    ratio,
    holds,
  };
}
