import { expect, it } from "vitest";
import { takeAgentSlot } from "../../src/monitor/agent-slot.ts";
import { scratch } from "../agent/support/agents.ts";

function site(more: NodeJS.ProcessEnv = {}, home = scratch()) {
  const told: string[] = [];
  const stop = new AbortController();
  const environment = { HOME: home, XDG_STATE_HOME: home, ...more };
  return {
    told,
    stop,
    home,
    at: { environment, signal: stop.signal, report: (text: string) => void told.push(text) },
  };
}

it("an agent beyond monitor.max_concurrency waits until another one ends, and says so once", async () => {
  const { at, told } = site();
  const [first] = [await takeAgentSlot(2, at), await takeAgentSlot(2, at)];
  const third = takeAgentSlot(2, at);
  await expect.poll(() => told).toHaveLength(1);
  expect(told).toEqual([
    "2 agents are at work already (monitor.max_concurrency), so this one waits for up to an hour. Ctrl-C ends it.",
  ]);
  first();
  await third;
  expect(told).toHaveLength(1);
});

it("an interrupt ends the wait", async () => {
  const { at, stop, told } = site();
  await takeAgentSlot(1, at);
  const waiting = takeAgentSlot(1, at);
  await expect.poll(() => told).toHaveLength(1);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});

it.each(["TENTERHOOK_SLOT", "TENTERHOOK_SESSION_RUN"])(
  "an agent that another one starts is part of it: %s",
  async (name) => {
    const outer = site();
    await takeAgentSlot(1, outer.at);
    await takeAgentSlot(1, site({ [name]: "1" }, outer.home).at);
  },
);

it("nothing is counted without a limit", async () => {
  const { at } = site();
  await takeAgentSlot(1, at);
  await takeAgentSlot(undefined, at);
});
