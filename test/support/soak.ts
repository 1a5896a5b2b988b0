/** True in `npm run soak`: the long versions of the property, kill and fuzz tests. */
const soak = process.env.TENTERHOOK_SOAK === "1";

/** How often a randomised test runs: `short` in `npm test`, `long` in `npm run soak`. */
export function runs(short: number, long: number): number {
  return soak ? long : short;
}
