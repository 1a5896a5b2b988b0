import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./lib/cpu.mjs";

const RUNS = 9;
const CHILD = fileURLToPath(new URL("./lib/rules-cold-child.mjs", import.meta.url));

export default {
  name: "rules: first decision of a fresh process with 1,000 rules, compared with compiling all",
  bound: 0.25,
  direction: "at most",
  async run() {
    /** @type {number[]} */
    const open = [];
    /** @type {number[]} */
    const compile = [];
    for (let run = 0; run < RUNS; run += 1) {
      open.push(childCpu("open"));
      compile.push(childCpu("compile"));
    }
    const ours = median(open) / 1_000;
    const theirs = median(compile) / 1_000;
    return { ratio: ours / theirs, ours, theirs, unit: "ms" };
  },
};

/** @param {string} mode */
function childCpu(mode) {
  return Number(execFileSync(process.execPath, [CHILD, mode], { encoding: "utf8" }));
}
