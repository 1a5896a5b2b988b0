import { compileInlineRules } from "tenterhook/rules";
import { PORTS } from "./lib/rules-mix.mjs";
import { compare } from "./measure.mjs";

const SIZE = 30_000;

/**
 * Patterns that make backtracking engines explode, each with the text that does it: a piece to repeat, an end, and for
 * patterns that require a letter a beginning that has it, since a text without it is answered by a search.
 *
 * @type {readonly (readonly [operator: "matches" | "glob", pattern: string, piece: string, end: string, beginning?: string])[]}
 */
const HOSTILE = [
  ["matches", "(a+)+$", "a", "!"],
  ["matches", "(.*)*x", "a", "!"],
  ["matches", "(.*)*x$", "a", "!", "x"],
  ["matches", "(a|aa)+$", "a", "!"],
  ["matches", "(a|a?)+$", "a", "!"],
  ["matches", "([a-zA-Z]+)*$", "a", "!"],
  ["matches", "^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"],
  ["matches", "(.*a){12}$", "a", "!"],
  ["matches", "(x+x+)+y", "x", "!", "y"],
  ["matches", "^(\\w+\\s?)*$", "aaaa ", "!"],
  ["matches", "\\s+$", " ", "x"],
  ["matches", "(\\d+,?)+;", "1,", "!", ";"],
  ["matches", '<(\\w+)(\\s+\\w+="[^"]*")*>', '<a a="" ', "!", ">"],
  ["glob", "*a*a*a*a*a*a*a*b", "a", "!"],
  ["glob", `${"{a,aa}".repeat(20)}*b`, "a", "!"],
  ["glob", "**/".repeat(30), "a/", "!"],
];

/**
 * Deciding about a hostile text of so many characters.
 *
 * @param {(typeof HOSTILE)[number]} hostile
 * @param {number} size
 */
async function deciding([operator, value, piece, end, beginning = ""], size) {
  const field = value.includes("/") && operator === "glob" ? "file_path" : "prompt";
  // The second part requires no text, so that the index can't spare the pattern the work.
  const either = [
    { field, operator, value },
    { field, operator: "exists", value: false },
  ];
  const definition = { name: "hostile", inline_rules: [{ any: either, action: "deny" }] };
  const { decide } = await compileInlineRules(definition, PORTS);
  const text = beginning + piece.repeat(size / piece.length) + end;
  const event = { hook_event_name: "UserPromptSubmit", cwd: "/", [field]: text };
  return async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time += 1) decide(event);
  };
}

/** How much longer twice the text takes, for the pattern for which that is worst. */
async function worst() {
  /** @type {import("./benchmark.mjs").Figures[]} */
  const all = [];
  for (const hostile of HOSTILE)
    all.push(await compare(await deciding(hostile, 2 * SIZE), await deciding(hostile, SIZE), 100_000_000));
  return all.reduce((one, other) => (other.ratio > one.ratio ? other : one));
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: `60 kB of hostile text, the worst of ${HOSTILE.length} patterns`,
    against: "30 kB",
    bound: 2.5,
    measure: worst,
  },
];
