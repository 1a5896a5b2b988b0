/** True in `npm run test:all`. */
const long = process.env.TEST_LONG === "1";

/** How often a randomised test runs: this often in `npm test`, thirty times as often in `npm run test:all`. */
export function runs(short: number): number {
  return size(short, 30 * short);
}

/** How many there are of what a test does at the same time: `usual` in `npm test`, `large` in `npm run test:all`. */
export function size(usual: number, large: number): number {
  return long ? large : usual;
}

/** Which ones a test tries: `usual` in `npm test`, `all` in `npm run test:all`. */
export function chosen<T>(usual: readonly T[], all: readonly T[]): readonly T[] {
  return long ? all : usual;
}

/** Every n-th in `npm test`, all in `npm run test:all`. */
export function sampled<T>(all: readonly T[], every: number): readonly T[] {
  return chosen(
    all.filter((_, at) => at % every === 0),
    all,
  );
}
