import { join } from "node:path";
import { expect, it } from "vitest";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { openDatabase } from "../../src/node/sqlite/open-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("a store of the version whose checks were called gates has checks now, and texts as they were", async () => {
  const file = join(temporaryFolder(), "monitor.db");
  await (await sqliteMonitor(file)).close();
  const asked = { id: "d1", agent_id: "a", state: "open", created_at: "2026-01-01", context: 'a "gate": x' };
  const action = { id: "e1", time: "2026-01-01", agent_id: "a", run: "gate", timeout: 5 };
  const old = await openDatabase(file, { migrations: ["", "", "", "", "", "", "", ""] });
  old.prepared("UPDATE schema_version SET version = 2").run();
  const row = (sql: string, value: object) => old.prepared(sql).run(JSON.stringify(value));
  row("INSERT INTO decisions VALUES ('d1', 'a', 'open', '2026-01-01', ?)", {
    ...asked,
    source: "gate",
    gate: { run: "gate", timeout: 5, gate_of: "on_stop" },
  });
  row("INSERT INTO agents VALUES ('a', ?)", {
    agent_id: "a",
    pending: { ...action, action: "gate", source: "gate", gate_of: "on_stop" },
  });
  row("INSERT INTO events VALUES (1, 'e1', '2026-01-01', 'a', ?)", { ...action, action: "gate" });
  old.close();

  const store = await sqliteMonitor(file);
  const events: unknown[] = [];
  for await (const event of store.events()) events.push(event);
  expect([await store.decisions("open"), await store.agents(), events]).toEqual([
    [{ ...asked, source: "check", check: { run: "gate", timeout: 5, check_of: "on_stop" } }],
    [{ agent_id: "a", pending: { ...action, action: "check", source: "check", check_of: "on_stop" } }],
    [{ ...action, action: "check" }],
  ]);
  await store.close();
});

it("an agent that was waiting after its turn is idle now", async () => {
  const file = join(temporaryFolder(), "monitor.db");
  await (await sqliteMonitor(file)).close();
  const old = await openDatabase(file, { migrations: ["", "", "", "", "", "", "", ""] });
  old.prepared("UPDATE schema_version SET version = 3").run();
  const put = (agent_id: string, state: string, task: string) =>
    old.prepared("INSERT INTO agents VALUES (?, ?)").run(agent_id, JSON.stringify({ agent_id, state, task }));
  put("a", "waiting", "waiting");
  put("b", "working", "waiting");
  old.close();

  const store = await sqliteMonitor(file);
  expect(await store.agents()).toEqual([
    { agent_id: "a", state: "idle", task: "waiting" },
    { agent_id: "b", state: "working", task: "waiting" },
  ]);
  await store.close();
});
