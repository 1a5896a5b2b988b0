/** True in `npm run soak`: the long versions of the property, kill and fuzz tests. */
const soak = process.env.TENTERHOOK_SOAK === "1";

/**
 * How often a randomised test runs: `short` in `npm test`, `long` in `npm run soak`.
 *
 * @throws Error when `short` is more than a tenth of `long`.
 */
export function runs(short: number, long: number): number {
  if (short * 10 > long) throw new Error(`${short} runs are more than a tenth of ${long}.`);
  return size(short, long);
}

/** How many there are of what a test does at the same time: `usual` in `npm test`, `large` in `npm run soak`. */
export function size(usual: number, large: number): number {
  return soak ? large : usual;
}

/** Which ones a test tries: `usual` in `npm test`, `all` in `npm run soak`. */
export function chosen<T>(usual: readonly T[], all: readonly T[]): readonly T[] {
  return soak ? all : usual;
}
