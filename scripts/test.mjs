// npm test: finds or installs the programs that the tests start, checks everything else, and runs the tests. Files and options of
// Vitest choose tests; what was chosen runs at once, without the checks.
//   npm test
//   npm test -- --slow               # names the ten slowest files, too
//   npm test -- test/core -t merge
//   npm test -- test/cli/scripts.long.test.ts # what is long runs when its file is named
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, run } from "./run.mjs";

const chosen = process.argv.slice(2).filter((arg) => arg !== "--slow");
if (process.argv.includes("--slow")) process.env.TEST_SLOWEST = "10";
run(process.execPath, "scripts/test-needs.mjs");
if (chosen.length === 0) run(process.execPath, "scripts/check.mjs");
const long = chosen.filter((arg) => arg.endsWith(".long.test.ts"));
if (long.length > 0) process.env.TEST_LONG = "1";
const ofClients = ["--config", "vitest.clients.config.ts"];
const kinds = ["unit", "process", ...(long.length > 0 ? ["long"] : [])];
const projects = long.some((file) => file.includes("test/clients/"))
  ? ofClients
  : kinds.flatMap((kind) => ["--project", kind]);
// Nothing comes after its last line, which says how many tests passed.
const vitest = join(root, "node_modules/vitest/vitest.mjs");
process.exitCode =
  spawnSync(process.execPath, [vitest, "run", ...projects, ...chosen], { cwd: root, stdio: "inherit" })
    .status ?? 1;
