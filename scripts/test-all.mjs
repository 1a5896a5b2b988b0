// `npm run test:all [-- GROUP…] [--OPTION…]`: what `npm test` runs, the randomised tests with all their runs, and the
// `*.long.test.ts` files, which start, kill or install too much to run before each commit. A group is a folder of test/ or a
// part of one (`fleet`, `clients/codex`), or `delays`. Options go to Vitest (`-t=NAME`). Whatever fails, the rest still runs.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installNewerNode } from "./newer-node.mjs";
import { root, succeeds } from "./run.mjs";

const HALF_AN_HOUR = 30 * 60 * 1000;
const DELAYS = "delays";

const given = process.argv.slice(2);
const groups = given.filter((word) => !word.startsWith("-"));
const asked = given.filter((word) => word.startsWith("-") && word !== "--slow");
const options = [`--testTimeout=${HALF_AN_HOUR}`, ...asked];
const unknown = groups.find((group) => group !== DELAYS && !existsSync(join(root, "test", group)));
if (unknown !== undefined) {
  console.error(`There is no group ${JSON.stringify(unknown)}: a group is a folder of test/, or ${DELAYS}.`);
  process.exit(2);
}
const isWhole = groups.length === 0;
const ofClients = groups.filter((group) => /^clients(\/|$)/.test(group));
const ours = groups.filter((group) => group !== DELAYS && !ofClients.includes(group));

process.env.TEST_LONG = "1";
if (given.includes("--slow")) process.env.TEST_SLOWEST = "10";
// Only these agents are installed. Other folders, and files, are about several.
const agents = ofClients.map((group) => group.split("/")[1] ?? "");
if (
  agents.length > 0 &&
  agents.every((name) => existsSync(join(root, `test/clients/${name}/effects.long.test.ts`)))
)
  process.env.TENTERHOOK_CLIENT_NAMES = agents.join(",");

const steps = [
  ["node", "scripts/test-needs.mjs"],
  ["node", isWhole ? "scripts/check.mjs" : "scripts/build.mjs"],
];
const inFolders = (/** @type {readonly string[]} */ names) => names.map((name) => `test/${name}/`);
if (isWhole || ours.length > 0) steps.push(["vitest", "run", ...inFolders(ours), ...options]);
if (isWhole || ofClients.length > 0)
  steps.push(["vitest", "run", "--config", "vitest.clients.config.ts", ...inFolders(ofClients), ...options]);
if (isWhole || groups.includes(DELAYS)) steps.push(["node", "scripts/delays.mjs"]);

if ((isWhole || ours.includes("newer-node")) && !(await installNewerNode()))
  console.error("Failed: the packages of test/newer-node");
for (const [program = "", ...args] of steps)
  if (!succeeds(program, ...args)) {
    console.error(`Failed: ${[program, ...args].join(" ")}`);
    process.exitCode = 1;
  }
