import { describe, expect, it } from "vitest";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { monitorEvent } from "./support/events.ts";

const usageAfter = (...events: readonly MonitorEvent[]) =>
  events.reduce<AgentStatus | undefined>(reduce, undefined)?.usage;
const prompt = monitorEvent("agent:turn", { new_turn: true });
const used = (type: string, total_tokens: number, more: object = {}) =>
  monitorEvent(type, { usage: { total_tokens, cost_usd: total_tokens / 1000, ...more } });

describe("the usage of an agent", () => {
  it("is that of its present turn, as last reported", () => {
    expect(
      usageAfter(prompt, used("agent:turn", 10), used("agent:stopped", 30, { context_left: 0.5 })),
    ).toEqual({
      total_tokens: 30,
      cost_usd: 0.03,
      context_left: 0.5,
    });
  });

  it("adds up over its turns, with the context of the last one", () => {
    const first = used("agent:stopped", 30, { context_left: 0.5, context_tokens: 5 });
    const second = used("agent:stopped", 12, { context_left: 0.4 });
    expect(
      usageAfter(prompt, first, prompt, second, second, used("agent:exit", 12, { context_left: 0.4 })),
    ).toEqual({
      total_tokens: 42,
      cost_usd: expect.closeTo(0.042, 10),
      context_left: 0.4,
    });
  });

  it("has no cost once a turn has none: an unknown price is not zero", () => {
    const nothing = monitorEvent("agent:turn", { new_turn: true, usage: { total_tokens: 0, cost_usd: 0 } });
    const unpriced = monitorEvent("agent:stopped", { usage: { total_tokens: 50 } });
    expect(usageAfter(nothing, unpriced)).toEqual({ total_tokens: 50 });
    expect(usageAfter(prompt, used("agent:stopped", 30), prompt, unpriced)).toEqual({ total_tokens: 80 });
    expect(usageAfter(prompt, unpriced, prompt, used("agent:stopped", 30))).toEqual({ total_tokens: 80 });
  });

  it("stays while nothing is reported, and ignores what is no number or far too large", () => {
    const bad = monitorEvent("agent:stopped", {
      usage: { total_tokens: "many", cost_usd: -1, input_tokens: 1e308, wine: 3 },
    });
    expect(usageAfter(prompt, used("agent:stopped", 30), prompt, bad)).toEqual({
      total_tokens: 30,
      cost_usd: 0.03,
    });
    expect(usageAfter(prompt, monitorEvent("agent:stopped"))).toBeUndefined();
  });
});

describe("what an agent says itself about its session", () => {
  const said = (fields: object) => monitorEvent("agent:said", { said: fields });
  const inferred = {
    context_tokens: 50_000,
    context_window: 200_000,
    context_left: 0.75,
    context_inferred: true,
  };

  it("counts before what is computed: its window, and what it cost", () => {
    expect(
      usageAfter(
        prompt,
        used("agent:stopped", 30, inferred),
        said({ cost_usd: 2, context_window: 1_000_000 }),
      ),
    ).toEqual({
      total_tokens: 30,
      cost_usd: 2,
      context_tokens: 50_000,
      context_window: 1_000_000,
      context_left: 0.95,
    });
  });

  it("still counts after the next turn, whose tokens fill the window that it named", () => {
    const later = used("agent:stopped", 10, { ...inferred, context_tokens: 100_000 });
    const first = said({ cost_usd: 2, context_tokens: 1, context_window: 1_000_000 });
    expect(usageAfter(prompt, used("agent:stopped", 30), first, prompt, later)).toEqual({
      total_tokens: 40,
      cost_usd: 2,
      context_tokens: 100_000,
      context_window: 1_000_000,
      context_left: 0.9,
    });
  });

  it("gives a cost to models whose price is not known", () => {
    const unpriced = monitorEvent("agent:stopped", { usage: { total_tokens: 50 } });
    expect(usageAfter(prompt, unpriced, said({ cost_usd: 0.5 }))).toEqual({
      total_tokens: 50,
      cost_usd: 0.5,
    });
  });

  it("adds up over processes, each of which counts from nothing", () => {
    expect(
      usageAfter(prompt, said({ cost_usd: 2 }), said({ cost_usd: 0.5 }), said({ cost_usd: 0.75 })),
    ).toEqual({ cost_usd: 2.75 });
  });

  it("has the limits of the user's plan, and nothing that is no number", () => {
    const five_hour = { used_percentage: 23.5, resets_at: "2026-03-09T14:00:00.000Z" };
    const rate_limits = { five_hour, seven_day: { used_percentage: "most" } };
    expect(usageAfter(prompt, said({ cost_usd: "much", rate_limits }))).toEqual({
      rate_limits: { five_hour },
    });
  });
});
