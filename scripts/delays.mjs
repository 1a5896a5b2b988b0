// `node scripts/delays.mjs [SEED] [FILE…]`: the tests of `npm test` with planted delays (test/support/setup/delays.ts). The same seed plants the
// same ones; without a seed, it is a new one, which is printed first.
import { run } from "./run.mjs";

const HALF_AN_HOUR = 30 * 60 * 1000;

const [seed = String(Date.now()), ...files] = process.argv.slice(2);
console.log(`Delays are planted with the seed ${seed}.`);
process.env.TEST_DELAYS = seed;
// The same delays come in the same tests only if these draw the same.
delete process.env.TEST_LONG;
run("node", "scripts/test-needs.mjs");
run("node", "scripts/build.mjs");
run("vitest", "run", `--testTimeout=${HALF_AN_HOUR}`, "--project", "unit", "--project", "process", ...files);
