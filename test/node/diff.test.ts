import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff } from "../../src/node/diff.ts";
import { runs } from "../support/long.ts";

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ mark, text }) => `${mark} ${text}`);
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

describe("what differs between two texts", () => {
  it("is shown with a few lines around it, wherever it is", () => {
    const before = numbers(61);
    const after = before.with(50, "changed");
    expect(shown(before.join("\n"), after.join("\n"))).toEqual([
      "… 47 lines as before",
      "  line 48",
      "  line 49",
      "  line 50",
      "- line 51",
      "+ changed",
      "  line 52",
      "  line 53",
      "  line 54",
      "… 7 lines as before",
    ]);
  });

  it("is nothing where they are the same", () => {
    expect(shown("a\nb", "a\nb")).toEqual([]);
  });

  it("never leaves out a line that is gone or new", () => {
    const texts = fc
      .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const all = lineDiff(before, after);
        const count = (lines: readonly string[], line: string) => lines.filter((one) => one === line).length;
        for (const line of ["a", "b", "c", "d"]) {
          const change =
            all.filter(({ mark, text }) => mark === "+" && text === line).length -
            all.filter(({ mark, text }) => mark === "-" && text === line).length;
          expect(change).toBe(count(after.split("\n"), line) - count(before.split("\n"), line));
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
