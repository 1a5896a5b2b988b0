import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { keptFor } from "../../src/shared/monitor/history.ts";
import type { HumanRequest, MonitorStore } from "../../src/shared/monitor/monitor.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent, storedEvents } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";

const now = Date.UTC(2026, 6, 1);
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();

function decision(id: string, fields: Partial<HumanRequest> = {}): HumanRequest {
  const own = { source: "question", context: "", options: [], state: "resolved" } as const;
  return { id, agent_id: "a", created_at: daysAgo(1), ...own, ...fields };
}

/** Puts this many events and decisions into a store, the last of them a day old. */
async function fill(store: MonitorStore, events: number, decisions: readonly HumanRequest[] = []) {
  const text = "x".repeat(1000);
  await store.update((tables) => {
    for (let number = 0; number < events; number += 1)
      tables.addEvent({
        ...monitorEvent("agent:turn", { prompt: text }),
        time: daysAgo(1 + events - number),
      });
    for (const one of decisions) tables.putDecision(one);
  });
}

async function eventsIn(store: MonitorStore): Promise<number> {
  let count = 0;
  for (const _ of await storedEvents(store)) count += 1;
  return count;
}

describe("history", () => {
  it("keeps questions for a year and events for 30 days, as long as nothing else is set", async () => {
    const store = await openStore();
    await fill(store, 100, [
      decision("young"),
      decision("old", { created_at: daysAgo(300) }),
      decision("older", { created_at: daysAgo(400) }),
      decision("open", { created_at: daysAgo(400), state: "open" }),
    ]);
    await store.forget(keptFor(undefined, now));
    expect(await eventsIn(store)).toBe(29);
    expect((await store.decisions("all")).map(({ id }) => id)).toEqual(["young", "old", "open"]);
    await store.forget(keptFor({ days: 10, notable_days: 100 }, now));
    expect(await eventsIn(store)).toBe(9);
    expect((await store.decisions("all")).map(({ id }) => id)).toEqual(["young", "open"]);
  });

  it("gives the room of what it forgets back to the disk, and stays below its size", async () => {
    const file = join(temporaryFolder(), "monitor.sqlite");
    const store = await sqliteMonitor(file);
    await fill(store, 6000);
    await store.forget(keptFor({ days: 100_000, megabytes: 5 }, now));
    const left = await eventsIn(store);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(5000);
    await store.close();
    expect(statSync(file).size).toBeLessThan(5_100_000);
  });

  it("is not read as a whole to answer one decision", async () => {
    const store = await openStore();
    const many = Array.from({ length: 2000 }, (_, number) => decision(`closed${number}`));
    await fill(store, 0, [...many, decision("open1", { state: "open" })]);
    expect((await store.decisions("all", 3)).map(({ id }) => id)).toHaveLength(3);
    expect((await store.decisionsLike("clos")).length).toBeLessThan(50);
    expect((await store.decisionsLike("closed1999")).map(({ id }) => id)).toContain("closed1999");
    const monitor = createMonitor(store);
    const dismissed = await monitor.resolve("op", { choices: ["dismiss"] }, { by: "anna", channel: "cli" });
    expect(dismissed).toMatchObject({ id: "open1", state: "dismissed" });
  });

  it("says of an answer that came to no hook that it was late", async () => {
    const store = await openStore();
    const resolved = { at: daysAgo(1), by: "anna", channel: "cli", answer: "yes" };
    const held = { prompt: "p1", waits_until: daysAgo(1), resolved };
    await fill(store, 0, [decision("d1", held), decision("d2", { resolved })]);
    const monitor = createMonitor(store);
    await monitor.settleAnswers();
    const found = await store.decisions("all");
    expect(found.map(({ id, state, resolved: one }) => [id, state, one?.fate])).toEqual([
      ["d2", "resolved", undefined],
      ["d1", "resolved", "late"],
    ]);
    await expect(monitor.resolve("d1", { choices: ["no"] }, { by: "bob", channel: "cli" })).rejects.toThrow(
      "Too late: answered with yes by anna (cli).",
    );
  });
});
