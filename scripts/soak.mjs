// The tests named *.long.test.ts, and the long versions of those that ask test/support/soak.ts how often to run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run } from "./run.mjs";

const HALF_AN_HOUR = 30 * 60 * 1000;

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => join("test", file))
  .filter((file) => file.endsWith(".long.test.ts") || asks(file, new Set()));
if (files.length === 0) {
  console.error("No test imports test/support/soak.ts, so there is nothing to run for long.");
  process.exit(1);
}

process.env.TENTERHOOK_SOAK = "1";
run("vitest", "run", `--testTimeout=${HALF_AN_HOUR}`, ...files, ...process.argv.slice(2));

/**
 * True for a file of the tests that imports test/support/soak.ts, itself or through others of them, as suites do.
 *
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {boolean}
 */
function asks(file, seen) {
  if (file === join("test", "support", "soak.ts")) return true;
  // Tests write modules of their own, which import what is not there.
  if (seen.has(file) || !file.startsWith("test") || !existsSync(join(root, file))) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/from "(\.[^"]*\.ts)"/g)].some(([, path = ""]) =>
    asks(join(dirname(file), path), seen),
  );
}
