import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { endAttempt, expireLeases, takeRun } from "../../src/fleet/leases.ts";
import { noteSession } from "../../src/fleet/program.ts";
import type { AttemptEnd } from "../../src/fleet/run.ts";
import { FleetWorker, type RunAgent } from "../../src/fleet/worker.ts";
import { databaseAddress } from "../../src/node/postgres/address.ts";
import { connect, type Postgres } from "../../src/node/postgres/open-postgres.ts";
import { cutNetwork } from "../support/faults/cut-network.ts";
import { postgresServer } from "../support/postgres.ts";
import { eventually } from "../support/processes.ts";
import { newFleet } from "./support/fleet.ts";

const server = await postgresServer();

const DONE: AttemptEnd = { state: "done", result: { text: "Over." } };

/** Works in this process, with a lease that does not end by itself. */
async function workHere(
  { database, queue, leases = database }: Awaited<ReturnType<typeof newFleet>> & { leases?: Postgres },
  runAgent: RunAgent,
) {
  const said: string[] = [];
  const report = (text: string): void => void said.push(text);
  const options = { database, leases, queue, runAgent, report, machine_id: "m1" };
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

describe("handing a run back", () => {
  it("does not wait for a cordon that the database does not take", async () => {
    const fleet = await newFleet(server);
    const { database, submit, statuses } = fleet;
    for (const task of ["one", "two", "three"]) await submit({ task });
    const leases: Postgres = {
      ...database,
      query: (text, values) =>
        text.includes("SET cordoned")
          ? Promise.reject(new Error("It is away."))
          : database.query(text, values),
    };
    const fault = { isMended: async () => false };
    const said = await workHere({ ...fleet, leases }, async () => ({
      state: "not here",
      why: "No folder.",
      fault,
    }));
    await eventually(() => expect(said).toContain("It is away."));
    await eventually(async () =>
      expect((await statuses()).map(({ state, attempts }) => [state, attempts])).toEqual(
        Array(3).fill(["queued", 0]),
      ),
    );
  });

  it("leaves it as it was, with the session that another machine can go on with", async () => {
    const { database, submit } = await newFleet(server);
    const run = await submit({ task: "Work." });
    const at = (machine_id: string) => ({
      id: machine_id,
      machine: "m",
      machine_id,
      leaseMilliseconds: 600_000,
    });
    const take = async (machine_id: string) => {
      const taken = await takeRun(database, run, at(machine_id));
      if (taken === undefined) throw new Error("Somebody else has it.");
      return taken;
    };
    const session = { id: "s1", machine_id: "one" };
    const first = await take("one");
    await noteSession(database, first, session);
    await endAttempt(database, first, { state: "handed back" });
    const second = await take("two");
    await noteSession(database, second, { machine_id: "two" });
    await endAttempt(database, second, { state: "not here", why: "It can't be started." });
    expect(await take("one")).toMatchObject({ attempt: 2, session });
    expect(
      await database.query("SELECT number, worker FROM tenterhook.run_attempts ORDER BY number"),
    ).toEqual([
      { number: 1, worker: "one" },
      { number: 2, worker: "one" },
    ]);
  });
});

describe("taking a run", () => {
  const me = { id: "me", machine: "here", machine_id: "m1", leaseMilliseconds: 600_000 };
  const other = { ...me, id: "other" };

  /** The database of a fleet by a way of its own. */
  async function connected(fleetUrl: string, port: number, answerMilliseconds: number) {
    const url = Object.assign(new URL(fleetUrl), { port: String(port) }).href;
    const times = { answerMilliseconds, patienceMilliseconds: 60_000 };
    const database = await connect({ address: databaseAddress(url, "url"), ...times });
    onTestFinished(() => database.close());
    return database;
  }

  const attempts = "SELECT number, worker FROM tenterhook.run_attempts ORDER BY number";

  it("succeeds though the answer is lost, and is one attempt", async () => {
    const { database, submit, url } = await newFleet(server);
    const run = await submit({ task: "Work." });
    let lost = 0;
    const network = await cutNetwork(server.port, {
      losesAnswer: (data) => data.includes("run_attempts") && lost++ === 0,
    });
    const taken = await takeRun(await connected(url, network.port, 10_000), run, me);
    expect(lost).toBeGreaterThan(1);
    expect(taken).toMatchObject({ run_id: run, fence: 1, attempt: 1, tries: 1, task: "Work." });
    expect(await database.query(attempts)).toEqual([{ number: 1, worker: "me" }]);
    expect(await takeRun(database, run, other)).toBeUndefined();
  });

  it("is one attempt when the statement that was given up is done after all", async () => {
    const { database, submit, url } = await newFleet(server);
    const run = await submit({ task: "Work." });
    const impatient = await connected(url, server.port, 500);
    const { taking } = await database.transaction(async (transaction) => {
      await transaction.query("SELECT 1 FROM tenterhook.runs FOR UPDATE");
      const begun = takeRun(impatient, run, me);
      await pause(1500);
      return { taking: begun };
    });
    expect(await taking).toMatchObject({ run_id: run, fence: 1, attempt: 1, tries: 1 });
    // Nothing that was given up takes it from the attempt that has it.
    await eventually(async () =>
      expect(
        await database.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        ),
      ).toEqual([]),
    );
    expect(await database.query("SELECT fence, attempts, tries FROM tenterhook.runs")).toEqual([
      { fence: 1, attempts: 1, tries: 1 },
    ]);
    expect(await database.query(attempts)).toEqual([{ number: 1, worker: "me" }]);
  });

  it("is a new attempt after the lease of the last one has ended, for the same worker too", async () => {
    const { database, submit } = await newFleet(server);
    const run = await submit({ task: "Work." });
    await takeRun(database, run, me);
    await database.query("UPDATE tenterhook.runs SET lease_until = now() - interval '1 second'");
    await expireLeases(database);
    expect(await takeRun(database, run, me)).toMatchObject({ fence: 3, attempt: 2, tries: 2 });
    expect(await database.query(attempts)).toEqual([
      { number: 1, worker: "me" },
      { number: 2, worker: "me" },
    ]);
  });
});
