import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { hasBytes, sameBytes } from "../../src/node/files/same-bytes.ts";
import { runs } from "../support/soak.ts";

const folder = mkdtempSync(join(tmpdir(), "tenterhook-bytes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lengths around those of a piece that is read at once. */
const lengths = fc.constantFrom(0, 1, 100, 65_535, 65_536, 65_537, 131_072, 200_000);

it("compares every byte of two places, wherever they are and however many they are", () => {
  fc.assert(
    fc.property(
      lengths,
      fc.nat(5_000),
      fc.nat(5_000),
      fc.nat(200_000),
      fc.constantFrom("same", "changed", "shorter"),
      (length, before, beforeCopy, at, change) => {
        const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 7 + length) % 251));
        const copy = Buffer.from(bytes);
        if (change === "changed" && length > 0) copy[at % length] = 255;
        const given = change === "shorter" ? copy.subarray(0, Math.max(0, length - 1)) : copy;
        const files = [join(folder, "one"), join(folder, "other")] as const;
        writeFileSync(files[0], Buffer.concat([Buffer.alloc(before, 1), bytes]));
        writeFileSync(files[1], Buffer.concat([Buffer.alloc(beforeCopy, 2), given]));
        const [left, right] = [openSync(files[0], "r"), openSync(files[1], "r")];
        try {
          const expected = bytes.equals(given);
          const place = { descriptor: right, from: beforeCopy };
          expect(hasBytes(place, bytes)).toBe(expected);
          expect(sameBytes({ descriptor: left, from: before }, place, length)).toBe(expected);
        } finally {
          closeSync(left);
          closeSync(right);
        }
      },
    ),
    { numRuns: runs(60, 2_000) },
  );
});
