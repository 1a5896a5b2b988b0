import { cpuRatio } from "./lib/cpu.mjs";
import { PORTS } from "./lib/rules-mix.mjs";
import { builtRules } from "./lib/tenterhook-rules.mjs";

const SIZE = 30_000;

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
      // The second part requires no text, so that the index can't spare the pattern the work.
      const either = [
        { field, operator, value: pattern },
        { field, operator: "exists", value: false },
      ];
      const { decide } = await compileInlineRules(
        { name: "hostile", inline_rules: [{ any: either, action: "deny" }] },
        PORTS,
      );
      const text = (/** @type {number} */ size) => ({
        cwd: "/",
        [field]: unit.repeat(size / unit.length) + end,
      });
      const [small, large] = [text(SIZE), text(2 * SIZE)];
      const {
        ratio,
        first: theirs,
        second: ours,
      } = cpuRatio(
        () => decide(small),
        () => decide(large),
      );
      console.log(`  ${ratio.toFixed(2)}  ${operator} ${pattern.slice(0, 40)}`);
      if (ratio > worst.ratio) worst = { ratio, ours, theirs, unit: "µs", pattern };
    }
    return worst;
  },
};
