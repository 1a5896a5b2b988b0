import fc from "fast-check";
import { expect, it } from "vitest";
import { fileName, quickFileName } from "../../src/node/files/file-name.ts";
import { runs } from "../support/long.ts";

const ids = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "A", "b", "B", "1", "_", "-", "=", "+", ".", "/"), maxLength: 60 }),
  fc.string({ maxLength: 90 }),
);

it.each([fileName, quickFileName])("%o: no two ids share a file, whatever the file system", (nameOf) => {
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      fc.pre(one !== other);
      expect(nameOf(one).toLowerCase()).not.toBe(nameOf(other).toLowerCase());
    }),
    { numRuns: runs(1_000) },
  );
});

it("an id of opencode is written as it is, with a note of its capitals", () => {
  expect(quickFileName("ses_e1d1775beffeb5TzBSiG3wfc0g")).toBe("ses_e1d1775beffeb5tzbsig3wfc0g=hra2ps");
});
