import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { expireLeases } from "../../src/fleet/leases.ts";
import type { AttemptEnd } from "../../src/fleet/run.ts";
import { FleetWorker, type RunAgent } from "../../src/fleet/worker.ts";
import { postgresServer } from "../support/postgres.ts";
import { eventually } from "../support/processes.ts";
import { newFleet } from "./support/fleet.ts";

const server = await postgresServer();

const DONE: AttemptEnd = { state: "done", result: { text: "Over." } };

/** Works in this process, with a lease that does not end by itself. */
async function workHere({ database, queue }: Awaited<ReturnType<typeof newFleet>>, runAgent: RunAgent) {
  const said: string[] = [];
  const report = (text: string): void => void said.push(text);
  const options = { database, leases: database, queue, runAgent, report };
  const worker = new FleetWorker({ ...options, concurrency: 4, leaseMilliseconds: 600_000 });
  await worker.start();
  onTestFinished(() => worker.close(0));
  return said;
}

describe("a worker", () => {
  it("that gets a run again which was taken from it ends its old attempt first", async () => {
    const fleet = await newFleet(server);
    const { database, queue, submit, statuses } = fleet;
    const steps: string[] = [];
    const run = await submit({ task: "Work." });
    await workHere(fleet, async ({ attempt }, signal) => {
      steps.push(`${attempt} begins`);
      if (attempt > 1) return DONE;
      await pause(60_000, undefined, { signal }).catch(() => undefined);
      // What an agent stores when it is stopped takes a moment.
      await pause(300);
      steps.push(`${attempt} is over`);
      return { state: "failed", error: "It was stopped." };
    });
    await eventually(() => expect(steps).toEqual(["1 begins"]));
    await database.query("UPDATE tenterhook.runs SET lease_until = now() - interval '1 second'");
    for (const queued of await expireLeases(database)) await queue.add(queued);
    await eventually(async () => expect((await statuses())[0]).toMatchObject({ run_id: run, state: "done" }));
    expect(steps).toEqual(["1 begins", "1 is over", "2 begins"]);
  });

  it("that gets a run twice goes on with it undisturbed", async () => {
    const fleet = await newFleet(server);
    const { database, queue, submit, statuses } = fleet;
    const goOn = new AbortController();
    let attempts = 0;
    await submit({ task: "Work." });
    await workHere(fleet, async (_, signal) => {
      attempts += 1;
      await pause(60_000, undefined, { signal: goOn.signal }).catch(() => undefined);
      return signal.aborted ? { state: "failed", error: "It was stopped." } : DONE;
    });
    await eventually(() => expect(attempts).toBe(1));
    const [{ run = "", fence = 0 } = {}] = await database.query<{ run: string; fence: number }>(
      "SELECT run, fence FROM tenterhook.runs",
    );
    await queue.add({ run, fence: fence + 100, priority: 0 });
    // The second job is gone from the queue as soon as the worker has seen that it has the run.
    await eventually(async () => {
      const [jobs] = await database.query("SELECT 1 FROM tenterhook_queue.job WHERE id = $1", [
        `${run}.${fence + 100}`,
      ]);
      expect(jobs).toBeUndefined();
    });
    goOn.abort();
    await eventually(async () => expect((await statuses())[0]).toMatchObject({ state: "done", attempts: 1 }));
  });
});
