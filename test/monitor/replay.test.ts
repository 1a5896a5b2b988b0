import fc from "fast-check";
import { expect, it } from "vitest";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { isCarriedOut } from "../../src/monitor/report/actions.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import { TRANSITIONS } from "../../src/monitor/state/transitions.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { ACTIONS, TRIGGERS } from "../../src/shared/monitor/triggers.ts";
import { runs } from "../support/long.ts";
import { monitorEvent, storedEvents } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

const OTHERS = ["agent:prompt", "agent:signal", "agent:action", "agent:action_ended"];
const EVENTS = fc
  .array(
    fc.record({
      type: fc.constantFrom(...Object.keys(TRANSITIONS), ...OTHERS),
      agent_id: fc.constantFrom("a", "b", "c"),
      session_id: fc.constantFrom("s1", "s2"),
      prompt_type: fc.constantFrom("question", "plan_approval", "permission", "idle", "other", 7),
      question: fc.constantFrom("Which?", "Why?", undefined),
      waits_until: fc.constantFrom("2030-01-01T00:00:00.000Z", undefined),
      trigger: fc.constantFrom(...TRIGGERS, undefined),
      action: fc.constantFrom(...ACTIONS),
      attempt: fc.constantFrom(1, 2, undefined),
      action_id: fc.integer({ min: 0, max: 40 }).map((at) => `e-${at}`),
      ok: fc.boolean(),
      worked: fc.constantFrom(true, undefined),
      woken_by: fc.constantFrom("e-1", undefined),
    }),
    { maxLength: 40 },
  )
  .map((rows) =>
    rows.map((row, at): MonitorEvent => {
      const time = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
      const { type, ...fields } = row;
      return monitorEvent(type, { id: `e-${at}`, time, ...fields });
    }),
  );

it("a replayed log gives the same states and counters, however often its parts were delivered", async () => {
  await fc.assert(
    fc.asyncProperty(EVENTS, fc.infiniteStream(fc.nat(5)), async (events, sizes) => {
      const store = await openStore();
      for (let at = 0; at < events.length; ) {
        const size = 1 + (sizes.next().value ?? 0);
        // Some of the last ones come again.
        await takeIn(store, events.slice(Math.max(0, at - 2), at + size));
        at += size;
      }
      const stored: MonitorEvent[] = [];
      for (const event of await storedEvents(store)) stored.push(event);
      const replayed = new Map<string, AgentStatus>();
      for (const event of stored) replayed.set(event.agent_id, reduce(replayed.get(event.agent_id), event));
      expect(stored.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      const agents = [...replayed.values()].sort((one, other) => (one.agent_id < other.agent_id ? -1 : 1));
      expect(await store.agents()).toEqual(JSON.parse(JSON.stringify(agents)));
      await expectOpenDecisionsToFit(store);
    }),
    { numRuns: runs(30) },
  );
});

async function expectOpenDecisionsToFit(store: Awaited<ReturnType<typeof openStore>>): Promise<void> {
  const agents = await store.agents();
  for (const { agent_id, state } of agents) {
    const open = (await store.decisions("open")).filter((one) => one.agent_id === agent_id);
    const free = open.filter(({ prompt, escalated }) => prompt === undefined && escalated !== true);
    expect(free.length).toBeLessThanOrEqual(1);
    if (state !== "prompting") expect(free).toEqual([]);
    if (state === "exited" || state === "gone") expect(open.filter((one) => !isCarriedOut(one))).toEqual([]);
  }
}
