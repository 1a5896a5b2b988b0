import { describe, expect, it } from "vitest";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { AgentStatus, MonitorEvent } from "../../src/shared/monitor/monitor.ts";
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
