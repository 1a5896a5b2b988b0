import { describe, expect, it } from "vitest";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

describe("runs that ended long ago", () => {
  it("are deleted with their transcripts, and no other run is", async () => {
    const { submit, script, work, until, fleet, database, store } = await newFleet(server);
    const model = script("s", [{ text: "Over." }]);
    const old = await submit({ task: "Old.", model });
    const young = await submit({ task: "Young.", model });
    const worker = await work();
    await until("done");
    await worker.end();
    const open = await submit({ task: "Open.", model });
    await database.query(
      "UPDATE tenterhook.runs SET ended_at = now() - interval '91 days', submitted_at = now() - interval '92 days' WHERE run = $1",
      [old],
    );
    await database.query(
      "UPDATE tenterhook.runs SET submitted_at = now() - interval '400 days' WHERE run = $1",
      [open],
    );
    expect((await fleet("prune", "--older", "90d")).stdout).toBe("1 run deleted.\n");
    const left = await database.query<{ run: string }>("SELECT run FROM tenterhook.runs");
    expect(left.map(({ run }) => run).sort()).toEqual([open, young].sort());
    expect([await store.load(old), (await store.load(young))?.metadata.status]).toEqual([
      undefined,
      "complete",
    ]);
    expect(
      await database.query("SELECT 1 FROM tenterhook.transcript_claims WHERE agent = $1", [old]),
    ).toEqual([]);
    expect((await fleet("prune")).stderr).toContain("--older is missing");
  });

  it("are found by the beginning of an id, and listed, without reading all others", async () => {
    const { database } = await newFleet(server);
    await database.query(
      `INSERT INTO tenterhook.runs (run, key, task, priority, state, ended_at)
       SELECT md5(n::text), 'k' || n, 'Task.', 0, 'done', now() FROM generate_series(1, 20000) n`,
    );
    await database.query("ANALYZE tenterhook.runs");
    const plan = async (sql: string) => {
      const rows = await database.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    };
    expect(
      await plan(
        "SELECT run FROM tenterhook.runs WHERE run >= 'ab' AND run < 'abg' AND starts_with(run, 'ab')",
      ),
    ).not.toContain("Seq Scan");
    expect(
      await plan(
        "SELECT run FROM tenterhook.runs ORDER BY ended_at IS NOT NULL, submitted_at DESC LIMIT 1000",
      ),
    ).toContain("Index");
  });
});
