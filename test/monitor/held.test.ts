import { describe, expect, it } from "vitest";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import { monitorEvent, question } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

const WAITS = { waits_until: "2026-12-01T00:00:00.000Z", call_key: "k1", host: "claude" };

/** The agent and its decision after a question that a hook waits at, and what followed. */
async function heldAfter(asked: MonitorEvent, ...events: readonly MonitorEvent[]) {
  const store = await openStore();
  await takeIn(store, [monitorEvent("agent:turn"), asked, ...events]);
  const [[agent], [decision]] = [await store.agents(), await store.decisions("all")];
  const { at_terminal, resolved } = decision ?? {};
  return { state: agent?.state, decision: decision?.state, at_terminal, by: resolved?.by };
}

describe("a question that a hook waits at", () => {
  it.each([
    ["the result of its call", "agent:went_on", { call_key: "k1" }, "working", "Answered in the terminal."],
    ["the end of the turn", "agent:stopped", {}, "idle", "The agent went on."],
    ["an interruption", "agent:interrupted", {}, "idle", "Interrupted in the terminal."],
    ["an error of the turn", "agent:error", { error_type: "rate_limit" }, "failed", "The agent went on."],
  ] as const)("is over with %s", async (_, type, fields, state, by) => {
    expect(await heldAfter(question(WAITS), monitorEvent(type, fields))).toEqual({
      state,
      decision: "dismissed",
      by,
    });
  });

  it.each([
    ["the result of another call", question(WAITS), monitorEvent("agent:went_on", { call_key: "k2" })],
    [
      "the end of the turn that started a subagent, which asks",
      question({ ...WAITS, subagent: "a1" }),
      monitorEvent("agent:stopped"),
    ],
  ])("is open after %s", async (_, asked, event) => {
    expect(await heldAfter(asked, event)).toMatchObject({ state: "prompting", decision: "open" });
  });

  it("is asked at the agent's terminal when its hook waits no more, until the agent goes on", async () => {
    const asked = question(WAITS);
    const over = monitorEvent("agent:wait_over", { prompt: asked.id, by: "Nobody answered in time." });
    const standing = { state: "prompting", decision: "open", at_terminal: true };
    expect(await heldAfter(asked, over)).toEqual(standing);
    const vague = monitorEvent("agent:prompt", { prompt_type: "permission", question: "It needs you." });
    expect(await heldAfter(asked, over, vague)).toEqual(standing);
    const ended = { decision: "dismissed", at_terminal: true };
    expect(await heldAfter(asked, over, monitorEvent("agent:went_on", { call_key: "k1" }))).toEqual({
      ...ended,
      ...{ state: "working", by: "Answered in the terminal." },
    });
    expect(await heldAfter(asked, over, monitorEvent("agent:stopped"))).toEqual({
      ...ended,
      ...{ state: "idle", by: "The agent went on." },
    });
  });

  it("has no hook any more when its agent asks something else at its terminal", async () => {
    const asked = question(WAITS);
    const over = monitorEvent("agent:wait_over", { prompt: asked.id });
    const next = monitorEvent("agent:prompt", { prompt_type: "plan_approval", question: "1. Paint" });
    const store = await openStore();
    await takeIn(store, [monitorEvent("agent:turn"), asked, over, next]);
    expect((await store.decisions("open")).map(({ source }) => source)).toEqual(["plan"]);
  });

  it("is open for as long as its hook waits", async () => {
    const asked = question({ ...WAITS, waits_until: "2026-01-01T00:00:10.000Z" });
    const waits = monitorEvent("agent:waits", { prompt: asked.id, waits_until: WAITS.waits_until });
    const store = await openStore();
    await takeIn(store, [
      { ...asked, time: "2026-01-01T00:00:01.000Z" },
      { ...waits, time: "2026-01-01T00:00:02.000Z" },
    ]);
    await takeIn(store, [monitorEvent("agent:went_on", { time: "2026-01-01T01:00:00.000Z" })]);
    expect(await store.decisions("all")).toMatchObject([{ state: "open", waits_until: WAITS.waits_until }]);
  });
});

it("what a failed attempt asked is closed when a later one works", async () => {
  const store = await openStore();
  const begins = (attempt: number) =>
    monitorEvent("agent:action", { trigger: "on_idle", action: "nudge", attempt, message: "Go on." });
  const first = begins(1);
  const failed = monitorEvent("agent:action_ended", {
    action_id: first.id,
    action: "nudge",
    source: "idle",
    ok: false,
    why: "No.",
  });
  const second = begins(2);
  const worked = monitorEvent("agent:action_ended", {
    action_id: second.id,
    action: "nudge",
    source: "idle",
    ok: true,
  });
  await takeIn(store, [monitorEvent("agent:stopped"), first, failed]);
  expect(await store.decisions("open")).toHaveLength(1);
  await takeIn(store, [second, worked]);
  expect(await store.decisions("open")).toEqual([]);
  // The time until the next attempt counts from the end of this one.
  expect(await store.agents()).toMatchObject([{ attempts: { on_idle: { count: 2, last: worked.time } } }]);
});
