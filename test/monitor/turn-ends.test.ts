import { describe, expect, it } from "vitest";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { monitorEvent, question } from "./support/events.ts";

function statusAfter(...events: readonly MonitorEvent[]): AgentStatus {
  const [first, ...rest] = events;
  if (first === undefined) throw new Error("Nothing was reported.");
  return rest.reduce(reduce, reduce(undefined, first));
}

const turn = monitorEvent("agent:turn");
const LATER = "2099-01-01T00:00:00.000Z";
const stopped = () => monitorEvent("agent:stopped");

describe("a state says where it is known from", () => {
  it("a hook, the transcript, or nobody: then it is inferred", () => {
    expect(statusAfter(turn)).toMatchObject({ source: "hook", confirmed_at: turn.time });
    const aborted = monitorEvent("agent:interrupted", { state_source: "transcript" });
    expect(statusAfter(turn, aborted)).toMatchObject({ state: "idle", source: "transcript" });
    const grew = monitorEvent("agent:grew", { state_source: "inferred" });
    expect(statusAfter(turn, stopped(), grew)).toMatchObject({ state: "working", source: "inferred" });
  });

  it("lasts since it began, and was confirmed when it was last said", () => {
    const again = monitorEvent("agent:turn");
    expect(statusAfter(turn, again)).toMatchObject({ since: turn.time, confirmed_at: again.time });
  });

  it("has no news until something is heard of it", () => {
    const quiet = monitorEvent("agent:quiet", { no_news_since: turn.time });
    expect(statusAfter(turn, quiet)).toMatchObject({ state: "working", no_news_since: turn.time });
    for (const type of ["agent:news", "agent:turn", "agent:stopped"])
      expect(statusAfter(turn, quiet, monitorEvent(type))).not.toHaveProperty("no_news_since");
    expect(statusAfter(turn, stopped(), quiet)).not.toHaveProperty("no_news_since");
  });
});

describe("an agent that was interrupted", () => {
  it("is idle, and no hook of it waits any more", () => {
    const status = statusAfter(turn, question({ waits_until: LATER }), monitorEvent("agent:interrupted"));
    expect(status).toMatchObject({ state: "idle", interrupted: true });
    expect(status).not.toHaveProperty("held");
  });

  it("works again at the next prompt", () => {
    const status = statusAfter(turn, monitorEvent("agent:interrupted"), monitorEvent("agent:turn"));
    expect(status).toMatchObject({ state: "working" });
    expect(status).not.toHaveProperty("interrupted");
  });
});

describe("a question that a hook holds", () => {
  const held = question({ waits_until: LATER });

  it("is over when the agent's turn is: it was answered at its terminal", () => {
    expect(statusAfter(turn, held, stopped())).toMatchObject({ state: "idle" });
  });

  it("of a subagent stays when the turn of its parent is over", () => {
    const below = question({ waits_until: LATER, subagent: "sub-1" });
    expect(statusAfter(turn, below, stopped())).toMatchObject({ state: "prompting" });
  });

  it("is over when the agent has ended the hook, and nobody knows yet what follows", () => {
    const ended = monitorEvent("agent:answer", { prompt: held.id, state_source: "inferred" });
    expect(statusAfter(turn, held, ended)).toMatchObject({ state: "working", source: "inferred" });
  });
});

it("an agent whose turn has left something running is not idle", () => {
  const waits_for = "subagent: Read the changelogs";
  const status = statusAfter(turn, monitorEvent("agent:delegated", { waits_for }));
  expect(status).toMatchObject({ state: "working", waits_for, source: "hook" });
  const woken = statusAfter(turn, monitorEvent("agent:delegated", { waits_for }), monitorEvent("agent:turn"));
  expect(woken).not.toHaveProperty("waits_for");
});
