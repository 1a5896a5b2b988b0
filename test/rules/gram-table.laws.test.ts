import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GramTable, LONGEST_GRAM } from "../../src/rules/index/gram-table.ts";
import { runs } from "../support/soak.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "\0", "\u0080", "é"), maxLength: 24 });
const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\0"), minLength: LONGEST_GRAM, maxLength: 7 });

describe("a gram table", () => {
  it("finds exactly the texts that occur, whatever gram they are kept under", () => {
    fc.assert(
      fc.property(text, fc.array(fc.tuple(wanted, fc.nat()), { maxLength: 12 }), (searched, list) => {
        const entries = list.map(([each, at], rule) => ({
          text: each,
          rule,
          at: at % (each.length - LONGEST_GRAM + 1),
        }));
        const hits: number[] = [];
        new GramTable(LONGEST_GRAM, entries).find(searched, hits);
        const found = [...new Set(hits)].sort((a, b) => a - b);
        expect(found).toEqual(
          entries.filter((entry) => searched.includes(entry.text)).map((entry) => entry.rule),
        );
      }),
      { numRuns: runs(500, 20_000) },
    );
  });

  it("keeps short texts under short grams", () => {
    const hits: number[] = [];
    new GramTable(2, [
      { text: "ab", rule: 7, at: 0 },
      { text: "ba", rule: 8, at: 0 },
    ]).find("xab", hits);
    expect(hits).toEqual([7]);
  });
});
