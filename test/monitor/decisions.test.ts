import { describe, expect, it } from "vitest";
import { decisionsAfter } from "../../src/monitor/decisions/after-event.ts";
import { readChoice } from "../../src/monitor/decisions/resolve.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import type { AgentStatus, HumanRequest } from "../../src/shared/monitor/monitor.ts";
import { monitorEvent, question } from "./support/events.ts";

/** All decisions after these events, the oldest first. */
function decisions(...events: readonly MonitorEvent[]): readonly HumanRequest[] {
  const all = new Map<string, HumanRequest>();
  let status: AgentStatus | undefined;
  for (const event of events) {
    status = reduce(status, event);
    const open = [...all.values()].filter(({ state }) => state === "open");
    for (const one of decisionsAfter(open, event, status)) all.set(one.id, one);
  }
  return [...all.values()];
}

const states = (...events: readonly MonitorEvent[]): readonly string[] =>
  decisions(...events).map(({ source, state }) => `${source} ${state}`);

const plan = (fields = {}) =>
  monitorEvent("agent:prompt", { prompt_type: "plan_approval", question: "1. Delete it all", ...fields });
const permission = (fields = {}) =>
  monitorEvent("agent:prompt", {
    prompt_type: "permission",
    question: { tool_name: "Bash", tool_input: { command: "ls" } },
    ...fields,
  });

describe("a decision for a human", () => {
  it("opens with a question, its options and what led to it", () => {
    const asked = question({ context: "I looked at the walls." });
    expect(decisions(asked)).toEqual([
      {
        id: asked.id,
        agent_id: "worker",
        session_id: "s1",
        source: "question",
        context: "I looked at the walls.",
        options: [],
        questions: asked.question,
        state: "open",
        created_at: asked.time,
      },
    ]);
  });

  it.each<[string, readonly MonitorEvent[], readonly string[]]>([
    ["a plan", [plan()], ["plan open"]],
    ["a permission", [permission()], ["permission open"]],
    [
      "an agent that asks for help",
      [monitorEvent("agent:signal", { signal: "escalate" })],
      ["question open"],
    ],
  ])("opens for %s", (_, events, expected) => {
    expect(states(...events)).toEqual(expected);
  });

  it.each<[string, readonly MonitorEvent[]]>([
    ["an idle agent", [monitorEvent("agent:prompt", { prompt_type: "idle" })]],
    ["a finished one", [monitorEvent("agent:signal", { signal: "complete" })]],
    ["a turn", [monitorEvent("agent:turn")]],
    ["an error, which the state shows", [monitorEvent("agent:error")]],
  ])("does not open for %s", (_, events) => {
    expect(states(...events)).toEqual([]);
  });

  it("is replaced by a newer one of the same agent", () => {
    expect(states(plan(), question())).toEqual(["plan superseded", "question open"]);
  });

  it("of a question or a plan is not replaced by a notification that a permission is needed", () => {
    const vague = monitorEvent("agent:prompt", { prompt_type: "permission", question: "Claude needs you" });
    expect(states(question(), vague)).toEqual(["question open"]);
    expect(states(plan(), vague)).toEqual(["plan open"]);
  });

  it("is one when several events report one cause, and is held by the one that waits", () => {
    const held = permission({ waits_until: "2026-01-01T00:10:00.000Z" });
    const [only, ...more] = decisions(permission(), held);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ state: "open", prompt: held.id, waits_until: "2026-01-01T00:10:00.000Z" });
  });

  const HELD = { waits_until: "2030-01-01T00:00:00.000Z" };

  it("that a hook waits for is replaced by nothing that says less", () => {
    const vague = monitorEvent("agent:prompt", { prompt_type: "permission", question: "It needs you" });
    expect(states(permission(HELD), vague)).toEqual(["permission open"]);
    expect(states(question(HELD), monitorEvent("agent:prompt", { prompt_type: "other" }))).toEqual([
      "question open",
    ]);
  });

  it("stays open next to another one when a hook waits for each", () => {
    const other = permission({ ...HELD, question: { tool_name: "Write", tool_input: {} } });
    expect(states(permission(HELD), other)).toEqual(["permission open", "permission open"]);
    expect(states(permission(HELD), permission(HELD))).toEqual(["permission open", "permission open"]);
    expect(states(permission(HELD), other, monitorEvent("agent:went_on"))).toEqual([
      "permission open",
      "permission open",
    ]);
    expect(states(permission(HELD), monitorEvent("agent:turn"))).toEqual(["permission dismissed"]);
  });

  it("that the agent asked for itself stays open when its turn ends, until the user is back", () => {
    const escalated = monitorEvent("agent:signal", { signal: "escalate", message: "Which branch?" });
    expect(states(escalated, monitorEvent("agent:stopped"))).toEqual(["question open"]);
    expect(states(escalated, monitorEvent("agent:turn"))).toEqual(["question dismissed"]);
    expect(states(escalated, monitorEvent("agent:exit"))).toEqual(["question dismissed"]);
  });

  it("is dismissed when the agent goes on by itself, or ends", () => {
    expect(states(question(), monitorEvent("agent:turn"))).toEqual(["question dismissed"]);
    expect(states(question(), monitorEvent("agent:stopped"))).toEqual(["question dismissed"]);
    expect(states(question(), monitorEvent("agent:exit"))).toEqual(["question dismissed"]);
    expect(states(question(), monitorEvent("agent:gone"))).toEqual(["question dismissed"]);
  });

  it("is resolved by the answer to its prompt and stays as a record", () => {
    const held = question({ waits_until: "2026-01-01T00:10:00.000Z" });
    const answer = monitorEvent("agent:answer", { prompt: held.id, answer: "Blue" });
    expect(decisions(held, answer)).toEqual([
      expect.objectContaining({
        state: "resolved",
        resolved: { at: answer.time, by: "user", channel: "emit", answer: "Blue", fate: "taken" },
      }),
    ]);
  });

  it("never shows half a character of a long context", () => {
    const [{ context = "" } = {}] = decisions(plan({ question: "🙂".repeat(5000) }));
    expect([...context].length).toBeLessThanOrEqual(4001);
    expect(encodeURIComponent(context)).toContain("%F0%9F%99%82");
  });
});

describe("a choice", () => {
  const one = (...events: readonly MonitorEvent[]): HumanRequest => {
    const [decision] = decisions(...events);
    if (decision === undefined) throw new Error("No decision was opened.");
    return decision;
  };
  it.each<[string, HumanRequest, Parameters<typeof readChoice>[1], unknown]>([
    ["a number means the option", one(question()), { choices: ["2"] }, "Red"],
    [
      "several numbers mean several options, where the question takes them",
      one(question({ question: [{ question: "Which?", multiSelect: true, options: ["A", "B", "C"] }] })),
      { choices: ["1, 3"] },
      "A, C",
    ],
    ["a label means the option, in any case", one(question()), { choices: ["blue"] }, "Blue"],
    ["other text answers a question itself", one(question()), { choices: ["Green"] }, "Green"],
    ["a message answers one question", one(question()), { choices: [], message: "Green" }, "Green"],
    ["a plan is accepted", one(plan()), { choices: ["accept"] }, { allow: true }],
    [
      "a plan is revised with words that never count as a yes",
      one(plan()),
      { choices: ["revise"], message: "ok" },
      { allow: false, feedback: "ok" },
    ],
    ["a permission is denied", one(permission()), { choices: ["2"] }, { allow: false }],
    [
      "other text revises a plan",
      one(plan()),
      { choices: ["use", "X"] },
      { allow: false, feedback: "use X" },
    ],
    [
      "other text refuses a permission",
      one(permission()),
      { choices: ["not now"] },
      { allow: false, feedback: "not now" },
    ],
    ["a yes accepts a plan", one(plan()), { choices: ["yes"] }, { allow: true }],
    ["a yes gives a permission", one(permission()), { choices: ["yes"] }, { allow: true }],
    ["a no cancels a plan", one(plan()), { choices: ["no"] }, { allow: false }],
    [
      "an agent that asks for help gets any text",
      one(monitorEvent("agent:signal", { signal: "escalate" })),
      { choices: ["Use", "main"] },
      "Use main",
    ],
  ])("%s", (_, decision, choice, answer) => {
    expect(readChoice(decision, choice)).toEqual({ answer });
  });

  it.each<[string, HumanRequest, Parameters<typeof readChoice>[1], string]>([
    ["no choice", one(plan()), { choices: [] }, "Choose one of 1 accept, 2 revise, 3 cancel."],
    [
      "a misspelt one",
      one(plan()),
      { choices: ["acept"] },
      'There is no option "acept". Did you mean "accept"? Choose one of 1 accept, 2 revise, 3 cancel.',
    ],
    ["a revision without words", one(plan()), { choices: ["revise"] }, "Say what to change with -m."],
    ["too many", one(plan()), { choices: ["1", "2"] }, "Choose one option; -m takes a message."],
    ["no answer", one(question()), { choices: [] }, "Give an answer: one of 1 Blue, 2 Red, or any text."],
    [
      "two answers to one question",
      one(question()),
      { choices: ["1", "2"] },
      "There is one question: give one answer.",
    ],
    [
      "a number without option",
      one(question()),
      { choices: ["3"] },
      "There is no option 3. Choose one of 1 Blue, 2 Red.",
    ],
  ])("is refused: %s", (_, decision, choice, problem) => {
    expect(readChoice(decision, choice)).toMatchObject({ problem });
  });
});
