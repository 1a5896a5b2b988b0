// `node scripts/again.mjs [--runs N] [--busy N] [FILE…]`: runs the tests of `npm test` again and again, beside so many loops that keep a core busy,
// and prints a line for each run: when it ended, how long it took, how much processor time all processes of the machine used, and what failed.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, run } from "./run.mjs";

const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "3" }, busy: { type: "string", default: "0" } },
  allowPositionals: true,
});
const chosen = ["--project", "unit", "--project", "process", ...positionals];

/** Until whoever started it is gone, however that ended. */
const BUSY = "const { ppid } = process; while (process.ppid === ppid);";

run("node", "scripts/test-needs.mjs");
run("node", "scripts/build.mjs");
const loops = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ["-e", BUSY]));
let failed = 0;
try {
  for (let number = 1; number <= Number(values.runs); number += 1) {
    const before = processorSeconds();
    const begun = performance.now();
    const { stdout } = spawnSync(join(root, "node_modules/.bin/vitest"), ["run", ...chosen], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1e9,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const seconds = Math.round((performance.now() - begun) / 1000);
    const used = Math.round(processorSeconds() - before);
    const [result = "did not end as it should"] =
      stdout.match(/^\d+ passed, \d+ failed, \d+ skipped$/m) ?? [];
    console.log(`run ${number}  ${seconds} s, ${used} s of processor time  ${result}`);
    for (const [failure] of stdout.matchAll(/^FAILED .*(?:\n .*)*/gm)) console.log(failure);
    if (!/ 0 failed,/.test(result)) failed += 1;
  }
} finally {
  for (const loop of loops) loop.kill();
}
process.exitCode = failed === 0 ? 0 : 1;

/** What all processes of the machine have used; NaN where the system does not say it. */
function processorSeconds() {
  try {
    const [, user, nice, system] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/ +/);
    return (Number(user) + Number(nice) + Number(system)) / 100;
  } catch {
    return Number.NaN;
  }
}
