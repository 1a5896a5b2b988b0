import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../src/core/match/glob.ts";
import { fold } from "../../src/rules/index/field-reading.ts";
import { globPattern } from "../../src/rules/operators/glob-pattern.ts";
import { type Pattern, requiredTexts } from "../../src/rules/operators/pattern.ts";
import { compileRegex, loadRegexEngine } from "../../src/rules/operators/regex.ts";
import { regexPattern } from "../../src/rules/operators/regex-pattern.ts";
import { runs } from "../support/long.ts";

const RUNS = runs(300);

const letters = fc.constantFrom(
  "a",
  "b",
  "k",
  "S",
  "i",
  "/",
  ".",
  "ü",
  "\u212a",
  "\u017f",
  "\u0130",
  "\u0131",
);
const texts = fc.array(fc.string({ unit: letters, maxLength: 6 }), { minLength: 8, maxLength: 8 });

const pieces = ["a", "b", "k", "S", "I", "/", ".", "ab", "a/", "/b", "ü"];
const globs = fc
  .array(fc.constantFrom(...pieces, "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "{a,b/}", "{k,}", "\\a"), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));
const regexes = fc
  .array(
    fc.constantFrom(
      ...pieces,
      "a*",
      "ab+",
      "abk?",
      "b{2}",
      "ka{0,1}",
      "(a|b)",
      "(ab|k)+",
      "[ak]",
      "[^a]",
      "\\.",
      ".*",
      "^",
      "$",
      "\\b",
      "(?i)",
      "*",
      "|",
      "(?:S)?",
      "\\x61",
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

/** Every clause must have a text that occurs in whatever fits. Returns whether the text fitted. */
function obeys(pattern: Pattern, fits: (text: string) => boolean, text: string): boolean {
  if (!fits(text)) return false;
  for (const clause of requiredTexts(pattern)) {
    expect(clause.some((required) => fold(text).includes(required))).toBe(true);
  }
  return true;
}

describe("what a pattern requires occurs in every text it fits", () => {
  it.each(["path", "text"] as const)("for globs on a %s", (kind) => {
    let fitted = 0;
    fc.assert(
      fc.property(globs, fc.boolean(), texts, (glob, ignoreCase, candidates) => {
        const fits = compileGlob(glob, { kind, ignoreCase });
        const shapes = [...candidates, glob, glob.replaceAll(/\/?\*+\/?/g, ""), glob.replaceAll("*", "ab")];
        for (const text of shapes) if (obeys(globPattern(glob, kind), fits, text)) fitted += 1;
      }),
      { numRuns: RUNS },
    );
    expect(fitted).toBeGreaterThan(RUNS / 4);
  });

  it("for regular expressions", async () => {
    await loadRegexEngine();
    let fitted = 0;
    fc.assert(
      fc.property(regexes, fc.boolean(), texts, (regex, ignoreCase, candidates) => {
        const fits = compiled(regex, ignoreCase);
        if (fits === undefined) return;
        for (const text of [
          ...candidates,
          regex,
          regex.replaceAll("b{2}", "bb").replaceAll(/[^a-zS/]/g, ""),
        ]) {
          if (obeys(regexPattern(regex), fits, text)) fitted += 1;
        }
      }),
      { numRuns: RUNS },
    );
    expect(fitted).toBeGreaterThan(RUNS / 4);
  });
});

/** Some of the random expressions are none, such as two repetitions in a row. */
function compiled(regex: string, ignoreCase: boolean) {
  try {
    return compileRegex(regex, ignoreCase);
  } catch {
    return undefined;
  }
}
