// What a person waits for who runs `tenterhook test`: 500 cases with the configuration that `init` writes.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { developerCommands } from "./lib/developer-commands.mjs";
import { PROGRAM, scratch, timed } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const CASES = 500;
/** People write short lines into cases. */
const LONGEST = 200;
const ROUNDS = 5;
const TESTING = pathToFileURL(join(import.meta.dirname, "../dist/testing.js")).href;

/** The same decisions by the same hooks, without files of cases, comparisons and a report. */
const BARE = `
import { testHooks } from ${JSON.stringify(TESTING)};
const hooks = await testHooks(process.cwd());
const lines = JSON.parse(process.argv[1]);
for (const line of lines) await hooks.bash(line);
console.log(lines.length);
`;

async function measure() {
  const { cwd, alone, remove } = scratch();
  try {
    execFileSync(process.execPath, [PROGRAM, "init", "--yes"], { cwd, env: alone });
    const lines = developerCommands(10 * CASES)
      .filter((line) => line.length <= LONGEST)
      .slice(0, CASES);
    const cases = lines.map((bash, at) => ({ name: `case ${at}`, bash, expect: { messages: false } }));
    mkdirSync(join(cwd, ".tenterhook/tests"), { recursive: true });
    writeFileSync(join(cwd, ".tenterhook/tests/many.yaml"), stringify({ cases }));
    const bare = [process.execPath, "--input-type=module", "-e", BARE, JSON.stringify(lines)];
    return await inTurns(
      ROUNDS,
      () => timed([process.execPath, PROGRAM, "test"], alone, "", `${CASES} passed`, cwd),
      () => timed(bare, alone, "", String(CASES), cwd),
    );
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  { name: `test of ${CASES} cases with init's packs`, against: "the bare decisions", bound: 2, measure },
];
