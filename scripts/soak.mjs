// The long versions of the tests that ask test/support/soak.ts how often to run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./run.mjs";

const HALF_AN_HOUR = 30 * 60 * 1000;

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join("test", file))
  .filter((file) => /from "[^"]*\/support\/soak\.ts"/.test(readFileSync(join(root, file), "utf8")));
if (files.length === 0) {
  console.error("No test imports test/support/soak.ts, so there is nothing to run for long.");
  process.exit(1);
}
process.env.TENTERHOOK_SOAK = "1";
run("vitest", "run", `--testTimeout=${HALF_AN_HOUR}`, ...files, ...process.argv.slice(2));
