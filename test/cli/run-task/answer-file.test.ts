import { describe, expect, it } from "vitest";
import { humanAnswer } from "../../../src/agent/run/session/read-answer.ts";

describe("the file of resume --answer", () => {
  it.each([
    { tool_use_id: "a", approval: { allow: false, feedback: "ok" } },
    { tool_use_id: "a", ask: 2, approval: { allow: true } },
    { tool_use_id: "a", answers: { "How many?": "3" } },
    { tool_use_id: "a", answers: "Blue" },
  ])("has an answer for one call: %j", (answer) => {
    expect(humanAnswer(answer, "here")).toEqual(answer);
  });

  it.each([
    undefined,
    "yes",
    { approval: true },
    { tool_use_id: "a" },
    { tool_use_id: "a", approval: "ok" },
    { tool_use_id: "a", approval: true, answers: "Blue" },
    { tool_use_id: "a", approval: true, agent: "b" },
    { tool_use_id: "a", answers: {} },
    { tool_use_id: "a", answers: { "How many?": 3 } },
  ])("is refused as %j", (answer) => {
    expect(() => humanAnswer(answer, "here")).toThrow(/^here: /);
  });
});
