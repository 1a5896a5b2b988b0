import fc from "fast-check";
import { allow, answer, ask, context, createHooks, deny, type OutcomeOf, rewrite } from "tenterhook";
import { expect, it } from "vitest";
import { bashCall } from "../support/events.ts";
import { runs } from "../support/long.ts";

type Said = OutcomeOf<"PreToolUse">;

const outcome: fc.Arbitrary<Said> = fc.oneof(
  fc.constant(allow()),
  fc.constant(context("told")),
  fc.constantFrom("a", "b", "c").map((value) => answer(value)),
  fc.constant(ask("sure?")),
  fc.constant(deny("no")),
  fc.constantFrom("ls", "pwd").map((command) => rewrite({ command })),
);

/** Each hook says one thing, or an answer with a rewrite: then the answer is to what it wrote. */
const reply: fc.Arbitrary<readonly Said[]> = fc.oneof(
  outcome.map((one) => [one]),
  fc.constantFrom("ls", "pwd").map((command) => [rewrite({ command }), answer(`of ${command}`)]),
);

it("the first answer to the final input counts, and a deny beats every answer", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { maxLength: 6 }), async (replies) => {
      const hooks = createHooks();
      for (const said of replies) hooks.on("PreToolUse", { recheck: false }, () => [...said]);
      const decision = await hooks.fire(bashCall("ls"));
      let input: unknown = { command: "ls" };
      const answers = replies.flatMap((said) => {
        for (const one of said) if (one.type === "rewrite") input = one.next;
        return said.flatMap((one) => (one.type === "answer" ? [{ value: one.answer, to: input }] : []));
      });
      const counting = answers.find(({ to }) => JSON.stringify(to) === JSON.stringify(input));
      const isDenied = replies.flat().some(({ type }) => type === "deny");
      expect(decision.action === "deny").toBe(isDenied);
      expect(decision.answer).toEqual(isDenied ? undefined : counting?.value);
      // What every hook said is recorded, whether it counted or not.
      const recorded = decision.runs.flatMap((run) =>
        run.outcome?.answer === undefined ? [] : [run.outcome.answer],
      );
      expect(recorded).toEqual(answers.map(({ value }) => value));
    }),
    { numRuns: runs(80) },
  );
});
