import { expect, it } from "vitest";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { costsByDay } from "../../src/monitor/state/usage.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent } from "./support/events.ts";

const at = (day: string, fields: Readonly<Record<string, unknown>>) =>
  monitorEvent("agent:turn", {
    cwd: "/srv/shop",
    host: "claude",
    ...fields,
    time: `2026-03-${day}T10:00:00.000Z`,
  });
const used = (total_tokens: number, cost_usd?: number) => ({ usage: { total_tokens, cost_usd } });

/** The costs that are known after these events. */
async function costsOf(...events: readonly MonitorEvent[]) {
  const store = await sqliteMonitor(`${temporaryFolder()}/monitor.sqlite`);
  try {
    for (const event of events) await takeIn(store, [event]);
    return costsByDay(await store.used("2026-03-01"), (cwd) => cwd);
  } finally {
    await store.close();
  }
}

it("a turn that is told of several times counts once, on the days on which it grew", async () => {
  const costs = await costsOf(
    at("09", { new_turn: true, ...used(1000, 1) }),
    at("09", used(3000, 2)),
    at("10", used(4000, 2.5)),
    at("10", { new_turn: true, ...used(500, 0.25) }),
    at("10", { agent_id: "w2", cwd: "/srv/api", host: "codex", new_turn: true, ...used(10, 9) }),
    monitorEvent("agent:stopped", { time: "2026-03-10T10:00:00.000Z", ...used(500, 0.25) }),
  );
  expect(costs).toEqual([
    { day: "2026-03-10", project: "/srv/api", agent: "codex", tokens: 10, cost_usd: 9 },
    { day: "2026-03-10", project: "/srv/shop", agent: "claude", tokens: 1500, cost_usd: 0.75 },
    { day: "2026-03-09", project: "/srv/shop", agent: "claude", tokens: 3000, cost_usd: 2 },
  ]);
});

it("a cost that nobody knows is not nothing", async () => {
  const costs = await costsOf(
    at("09", { new_turn: true, ...used(1000, 1) }),
    at("09", { agent_id: "w2", new_turn: true, ...used(5) }),
  );
  expect(costs).toEqual([{ day: "2026-03-09", project: "/srv/shop", agent: "claude", tokens: 1005 }]);
});
