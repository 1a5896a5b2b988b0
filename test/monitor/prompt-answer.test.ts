import { describe, expect, it } from "vitest";
import type { Answerer } from "../../src/monitor/report/ask.ts";
import { NOBODY } from "../../src/monitor/report/endings.ts";
import { promptAnswer } from "../../src/monitor/report/prompt-answer.ts";

const COLOUR = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Blue" }, { label: "Red" }],
};
const SIZE = { question: "Which sizes?", multiSelect: true, options: [{ label: "S" }, { label: "L" }] };

describe("an answer to a question", () => {
  const answers = (questions: readonly object[], answer: unknown): unknown =>
    promptAnswer("question", { questions, more: 1 }, answer);
  const given = (questions: readonly object[], answers: object) => ({
    action: "allow",
    input: { questions, more: 1, answers },
  });

  it.each([
    ["a label", "Red", "Red"],
    ["a number of an option", "2", "Red"],
    ["a number", 1, "Blue"],
    ["words of its own", "Green, please", "Green, please"],
    ["texts by question", { "Which colour?": "Red" }, "Red"],
    ["texts by heading", { Colour: "Red" }, "Red"],
    ["a list", ["Red"], "Red"],
  ])("is %s", (_, answer, expected) => {
    expect(answers([COLOUR], answer)).toEqual(given([COLOUR], { "Which colour?": expected }));
  });

  it("is a number where there are no options", () => {
    const question = { question: "How many?" };
    expect(answers([question], "3")).toEqual(given([question], { "How many?": "3" }));
  });

  it("has something for each of several questions", () => {
    expect(answers([COLOUR, SIZE], ["1", ["1", "L"]])).toEqual(
      given([COLOUR, SIZE], { "Which colour?": "Blue", "Which sizes?": "S, L" }),
    );
    expect(answers([COLOUR, SIZE], { Colour: "Red", "Which sizes?": "1,2" })).toEqual(
      given([COLOUR, SIZE], { "Which colour?": "Red", "Which sizes?": "S, L" }),
    );
  });

  it.each([
    ["one text for two questions", [COLOUR, SIZE], "Red"],
    ["too few", [COLOUR, SIZE], ["Red"]],
    ["too many", [COLOUR], ["Red", "Blue"]],
    ["of another question", [COLOUR], { "Which size?": "L" }],
    ["blank", [COLOUR], "  "],
    ["a number no option has", [COLOUR], 3],
    ["true", [COLOUR], true],
    ["for no question", [], "Red"],
  ])("can't be used when it is %s", (_, questions, answer) => {
    expect(answers(questions, answer)).toBeUndefined();
  });
});

describe("an answer to a plan or a permission", () => {
  it.each(["accept", "allow", "yes", true, { allow: true }])(
    "the answer %j lets a plan or a permission go on",
    (answer) => {
      expect(promptAnswer("plan_approval", { plan: "1." }, answer)).toEqual({ action: "allow" });
      expect(promptAnswer("permission", {}, answer)).toEqual({ action: "allow" });
    },
  );

  it.each(["cancel", "deny", "no", false])("the answer %j refuses a plan or a permission", (answer) => {
    expect(promptAnswer("plan_approval", {}, answer)).toEqual({
      action: "deny",
      reason: "The plan was refused by the user.",
    });
    expect(promptAnswer("permission", {}, answer)).toEqual({
      action: "deny",
      reason: "This call was refused by the user.",
    });
  });

  it("says who refused, also where nobody did", () => {
    const refusal = (answer: unknown, who: Answerer) => promptAnswer("permission", {}, answer, who)?.reason;
    expect(refusal(false, { by: "Anna", channel: "telegram" })).toBe("This call was refused by Anna.");
    expect(refusal("Use the other one.", { by: "A\nB" })).not.toContain("\n");
    expect(refusal("no", NOBODY)).toBe("This call was refused, since nobody answered in time.");
  });

  it("refuses it with what is to be revised", () => {
    expect(promptAnswer("plan_approval", {}, "Tests first.")).toEqual({
      action: "deny",
      reason: "The plan was sent back by the user: Tests first.",
    });
    expect(promptAnswer("permission", {}, { allow: false, feedback: "Not there." })).toEqual({
      action: "deny",
      reason: "This call was refused by the user: Not there.",
    });
  });

  it("has none to what only tells", () => {
    expect(promptAnswer("idle", {}, "Go on.")).toBeUndefined();
  });
});
