import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutRepeats } from "../../src/stores/transcripts/jsonl/without-repeats.ts";
import { runs } from "../support/soak.ts";

it("keeps the first thing of each id, whether ids count up or not, and all without one", () => {
  const counted = fc.integer({ min: 0, max: 12 }).map((number) => `m-${number}`);
  const anyId = fc.oneof(
    counted,
    fc.string({ minLength: 1, maxLength: 2 }),
    fc.constant(undefined),
    fc.uuid(),
  );
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 60 }), (drawn) => {
      const things = drawn.map((id, number) => ({ id, number }));
      const first = things.filter(({ id }, number) => id === undefined || drawn.indexOf(id) === number);
      expect(withoutRepeats(things, ({ id }) => id)).toEqual(first);
    }),
    { numRuns: runs(300, 20_000) },
  );
});
