/** True in `npm run test:all`. */
const long = process.env.TEST_LONG === "1";

/**
 * How often a randomised test runs: `short` in `npm test`, `long` in `npm run test:all`.
 *
 * @throws Error when `short` is more than a tenth of `long`.
 */
export function runs(short: number, longer: number): number {
  if (short * 10 > longer) throw new Error(`${short} runs are more than a tenth of ${longer}.`);
  return size(short, longer);
}

/** How many there are of what a test does at the same time: `usual` in `npm test`, `large` in `npm run test:all`. */
export function size(usual: number, large: number): number {
  return long ? large : usual;
}

/** Which ones a test tries: `usual` in `npm test`, `all` in `npm run test:all`. */
export function chosen<T>(usual: readonly T[], all: readonly T[]): readonly T[] {
  return long ? all : usual;
}
