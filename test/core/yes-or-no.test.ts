import { expect, it } from "vitest";
import { yesOrNo } from "../../src/core/base/yes-or-no.ts";

it.each([
  ["yes", "Yes", "y", "OK", "okay", "true", " allow ", "Approved.", true, { allow: true }, { allow: "Yes" }],
])("is a yes: %j, and the like", (...answers) => {
  expect(answers.map(yesOrNo)).toEqual(answers.map(() => true));
});

it("other words refuse, with the words for the model when they say more than no", () => {
  expect(
    ["no", "N", "false", "Deny", "", false, "use git", { allow: false, feedback: "not now" }].map(yesOrNo),
  ).toEqual([false, false, false, false, false, false, "use git", "not now"]);
});

it("nothing, and what is not understood, is no answer", () => {
  for (const answer of [undefined, null, 1, {}, { decision: "once" }, { allow: 1 }, []])
    expect(yesOrNo(answer)).toBe(undefined);
});
