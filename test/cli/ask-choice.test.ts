import { expect, it } from "vitest";
import { askChoice } from "../../src/cli/commands/monitor/decisions.ts";
import { optionsFor } from "../../src/monitor/report/sources.ts";
import type { DecisionSource } from "../../src/shared/monitor/decisions.ts";
import type { HumanRequest } from "../../src/shared/monitor/monitor.ts";

function decision(source: DecisionSource, fields: Partial<HumanRequest> = {}): HumanRequest {
  const about = {
    id: "q1",
    agent_id: "w1",
    source,
    context: "",
    options: optionsFor(source, { session_id: "s1" }),
  };
  return { ...about, state: "open", created_at: "2026-01-01T00:00:00.000Z", ...fields };
}

/** What is asked and told while somebody types these lines, and the choice in the end. */
async function typed(asked: HumanRequest, ...lines: readonly string[]) {
  const left = [...lines];
  const shown: string[] = [];
  const choice = await askChoice(asked, {
    ask: async (question) => {
      shown.push(question);
      return left.shift();
    },
    tell: (text) => shown.push(text),
  });
  expect(left).toEqual([]);
  return { choice, shown };
}

const ANSWER = "Your answer (empty: later): ";
const CHANGE = "What is to change (empty: later)? ";

it.each([
  ["revise", "Keep the old API."],
  ["2", "ok"],
  ["REVISE", "1"],
])("a plan that is sent back with %s takes the text of the revision", async (word, text) => {
  const { choice, shown } = await typed(decision("plan"), word, text);
  expect([choice, shown]).toEqual([{ choices: [word], message: text }, [ANSWER, CHANGE]]);
});

it("a revision in one line is not asked for again", async () => {
  const { choice, shown } = await typed(decision("plan"), "revise: Keep the old API.");
  expect([choice, shown]).toEqual([{ choices: ["revise"], message: "Keep the old API." }, [ANSWER]]);
});

it("a wrong word is followed by the same question, as often as it takes", async () => {
  const { choice, shown } = await typed(decision("check"), "retyr", "9", "retry");
  expect(choice).toEqual({ choices: ["retry"] });
  expect(shown).toEqual([
    ANSWER,
    expect.stringContaining('There is no option "retyr". Did you mean'),
    ANSWER,
    expect.stringContaining('There is no option "9".'),
    ANSWER,
  ]);
});

it("one wrong answer of several is asked for again, not all of them", async () => {
  const options = [{ label: "Blue" }, { label: "Red" }];
  const questions = [
    { question: "Walls?", options },
    { question: "Doors?", options },
  ];
  const { choice, shown } = await typed(decision("question", { questions }), "1", "7", "2");
  expect(choice).toEqual({ choices: ["1", "2"] });
  expect(shown).toEqual([
    "Your answer 1 of 2 (empty: later): ",
    "Your answer 2 of 2 (empty: later): ",
    "There is no option 7. Choose one of 1 Blue, 2 Red.",
    "Your answer 2 of 2 (empty: later): ",
  ]);
});

it.each([[[""]], [["revise", ""]], [["nonsense9", " "]], [[]]])(
  "nothing is answered when %j ends with an empty line",
  async (lines) => {
    const asked = lines[0] === "nonsense9" ? decision("check") : decision("plan");
    expect((await typed(asked, ...lines)).choice).toBeUndefined();
  },
);
