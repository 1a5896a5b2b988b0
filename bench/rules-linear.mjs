import { cpuNow, median } from "./lib/cpu.mjs";
import { PORTS } from "./lib/rules-mix.mjs";
import { builtRules } from "./lib/tenterhook-rules.mjs";

const SIZE = 30_000;
const RUNS = 7;

/** Patterns that make backtracking engines explode, with the text that does it. */
const HOSTILE = /** @type {const} */ ([
  ["matches", "(a+)+$", "a", "!"],
  ["matches", "(.*)*x", "a", "!"],
  ["matches", "(a|aa)+$", "a", "!"],
  ["matches", "(a|a?)+$", "a", "!"],
  ["matches", "([a-zA-Z]+)*$", "a", "!"],
  ["matches", "^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"],
  ["matches", "(.*a){12}$", "a", "!"],
  ["matches", "(x+x+)+y", "x", "!"],
  ["matches", "^(\\w+\\s?)*$", "aaaa ", "!"],
  ["matches", "\\s+$", " ", "x"],
  ["matches", "(\\d+,?)+;", "1,", "!"],
  ["matches", '<(\\w+)(\\s+\\w+="[^"]*")*>', '<a a="" ', "!"],
  ["glob", "*a*a*a*a*a*a*a*b", "a", "!"],
  ["glob", `${"{a,aa}".repeat(20)}*b`, "a", "!"],
  ["glob", "**/".repeat(30), "a/", "!"],
]);

export default {
  name: "rules: hostile text of 60 kB, compared with 30 kB",
  bound: 2.5,
  direction: "at most",
  async run() {
    const { compileInlineRules } = await builtRules();
    let worst = { ratio: 0, ours: 0, theirs: 0, unit: "µs", pattern: "" };
    for (const [operator, pattern, unit, end] of HOSTILE) {
      const field = pattern.includes("/") ? "file_path" : "prompt";
      const rule = { field, operator, value: pattern, action: "deny" };
      const { decide } = await compileInlineRules({ name: "hostile", inline_rules: [rule] }, PORTS);
      const text = (/** @type {number} */ size) => ({
        cwd: "/",
        [field]: unit.repeat(size / unit.length) + end,
      });
      const [theirs, ours] = interleaved([text(SIZE), text(2 * SIZE)].map((event) => () => decide(event)));
      const ratio = (ours ?? 0) / Math.max(theirs ?? 0, 1);
      console.log(`  ${ratio.toFixed(2)}  ${operator} ${pattern.slice(0, 40)}`);
      if (ratio > worst.ratio && (ours ?? 0) > 200)
        worst = { ratio, ours: ours ?? 0, theirs: theirs ?? 0, unit: "µs", pattern };
    }
    return worst;
  },
};

/** @param {readonly (() => unknown)[]} calls */
function interleaved(calls) {
  const samples = calls.map(() => /** @type {number[]} */ ([]));
  for (let run = 0; run < RUNS + 2; run += 1) {
    for (const [at, call] of calls.entries()) {
      const repeats = 2 ** 3;
      const start = cpuNow();
      for (let repeat = 0; repeat < repeats; repeat += 1) call();
      if (run > 1) samples[at]?.push((cpuNow() - start) / repeats);
    }
  }
  return samples.map(median);
}
