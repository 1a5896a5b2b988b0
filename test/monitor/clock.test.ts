import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { monitorClient } from "../../src/monitor/client.ts";
import { openIntake } from "../../src/monitor/intake/intake.ts";
import { appendToSpool, spoolFolder } from "../../src/monitor/report/spool.ts";
import { loadSqlite } from "../../src/node/sqlite/load-sqlite.ts";
import type { EventType } from "../../src/shared/monitor/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openStore } from "./support/open-store.ts";
import { testDaemon } from "./support/test-daemon.ts";

const HOUR = 3_600_000;

async function monitored() {
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  const store = await openStore();
  const errors: unknown[] = [];
  const loop = await openIntake(store, environment, (error) => errors.push(error));
  const report = (type: EventType, fields: object = {}) =>
    appendToSpool({ type, agent_id: "worker", session_id: "s1", ...fields }, environment);
  return { environment, store, loop, report };
}

describe("an event", () => {
  it("of the year 2099, or with an unreadable time, is from now, and later ones count", async () => {
    const { environment, store, loop, report } = await monitored();
    for (const [id, time] of [
      ["a", "2099-01-01T00:00:00.000Z"],
      ["b", "yesterday"],
    ])
      appendFileSync(
        join(spoolFolder(environment), "spool.jsonl"),
        `${JSON.stringify({ v: 1, id, time, type: "agent:turn", agent_id: id })}\n`,
        { mode: 0o600 },
      );
    await loop.drain();
    const agents = await store.agents();
    expect(agents.map(({ agent_id, state }) => [agent_id, state])).toEqual([
      ["a", "working"],
      ["b", "working"],
    ]);
    for (const { since } of agents) expect(Math.abs(Date.parse(since) - Date.now())).toBeLessThan(HOUR);
    report("agent:stopped", { agent_id: "a", session_id: "a" });
    await loop.drain();
    expect((await store.agents())[0]?.state).toBe("idle");
  });
});

describe("a database that another process has locked", () => {
  it("leaves the last known states, with what is wrong", async () => {
    const { environment, place } = await testDaemon();
    const client = monitorClient(environment);
    appendToSpool({ type: "agent:turn", agent_id: "worker" }, environment);
    expect(await client.agents()).toMatchObject([{ state: "working" }]);
    const { DatabaseSync } = await loadSqlite();
    const other = new DatabaseSync(place.database);
    other.exec("BEGIN IMMEDIATE");
    appendToSpool({ type: "agent:stopped", agent_id: "worker" }, environment);
    expect(await client.agents()).toMatchObject([{ state: "working" }]);
    expect(await client.info()).toMatchObject({ problem: expect.stringContaining("Another process") });
    other.exec("ROLLBACK");
    other.close();
    await vi.waitFor(async () => expect(await client.agents()).toMatchObject([{ state: "idle" }]), 20_000);
  });
});
