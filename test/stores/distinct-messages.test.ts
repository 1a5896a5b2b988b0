import fc from "fast-check";
import { expect, it } from "vitest";
import { DistinctMessages } from "../../src/stores/transcripts/jsonl/distinct-messages.ts";
import { runs } from "../support/soak.ts";

it("keeps the first message of each id, whether ids count up or not", () => {
  const counted = fc.integer({ min: 0, max: 12 }).map((number) => `m-${number}`);
  fc.assert(
    fc.property(fc.array(fc.oneof(counted, fc.string({ minLength: 1, maxLength: 2 }))), (drawn) => {
      const messages = drawn.map((id, number) => ({ id, number }));
      const distinct = new DistinctMessages();
      const added = messages.filter((message) => distinct.add(message));
      const first = messages.filter(({ id }, number) => drawn.indexOf(id) === number);
      expect([added, distinct.all()]).toEqual([first, first]);
    }),
    { numRuns: runs(300, 20_000) },
  );
});
