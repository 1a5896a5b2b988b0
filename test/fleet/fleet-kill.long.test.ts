import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { cutNetwork } from "../support/faults/cut-network.ts";
import { freeze, thaw } from "../support/faults/kill.ts";
import { runs, size } from "../support/long.ts";
import { end, eventually } from "../support/processes.ts";
import { redisServer } from "../support/redis.ts";
import { appendLine, type Fleet, fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();
const redis = await redisServer();

const STEPS = ["a", "b", "c", "d", "e"];

/** So short that tests can wait for its end. */
const SHORT = { lease: "5s" };

interface Agents {
  readonly from?: number;
  readonly steps?: readonly string[];
  /** A file that the third step waits for: a run that has got there does not end before a test lets it. */
  readonly gate?: string;
}

/** Submits agents that each append lines to a file, one call after the other. */
async function submitAgents(
  { submit, script }: Fleet,
  count: number,
  { from = 0, steps = STEPS, gate }: Agents = {},
): Promise<readonly string[]> {
  const submitted: string[] = [];
  for (let number = from; number < from + count; number += 1) {
    const calls = steps.map((step, at) => {
      const waiting = gate !== undefined && at === 2 ? `; until [ -e ${gate} ]; do sleep 0.1; done` : "";
      return { ...appendLine(`${number}-${step}`, `lines.txt${waiting}`), delay_ms: 150 };
    });
    // One that is interrupted between its answer and its end is told to go on, and answers again.
    const answers = Array.from({ length: 10 }, () => ({ text: `Over ${number}.` }));
    const model = script(`agent-${number}`, [...calls, ...answers]);
    submitted.push(await submit({ task: `Agent ${number}.`, model }));
  }
  return submitted;
}

/** Every run ended with its answer, every entry is there once under the next number, and no call was made twice. */
async function expectWhole({ statuses, database, project }: Fleet, count: number): Promise<void> {
  const found = (await statuses()).map(({ task, state, result }) => [task, state, result?.text]);
  const expected = Array.from({ length: count }, (_, at) => [`Agent ${at}.`, "done", `Over ${at}.`]);
  expect(found.sort()).toEqual(expected.sort());
  const gaps = await database.query(
    `SELECT agent FROM tenterhook.transcript_entries GROUP BY agent
     HAVING min(seq) <> 1 OR max(seq) <> count(*) OR count(DISTINCT message) <> count(message)`,
  );
  expect(gaps).toEqual([]);
  const file = join(project.cwd, "lines.txt");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  expect(lines).toHaveLength(new Set(lines).size);
}

/** Everything that was stored. */
function entriesOf({ database }: Fleet): Promise<readonly unknown[]> {
  return database.query("SELECT agent, seq, json FROM tenterhook.transcript_entries ORDER BY agent, seq");
}

/** How many calls were cut off, by a kill or by a worker that lost its lease: the model was told so. */
async function cutOffCalls({ store }: Fleet, submitted: readonly string[]): Promise<number> {
  const texts = await Promise.all(submitted.map(async (run) => JSON.stringify(await store.load(run))));
  return texts.reduce((sum, text) => sum + text.split(/"outcome":"(?:interrupted|not_run)"/).length - 1, 0);
}

describe("runs", () => {
  it("survive workers that are killed at any moment: all end, nothing is stored or done twice", async () => {
    const count = size(15, 200);
    const steps = STEPS.slice(0, size(3, 5));
    const fleet = await newFleet(server, { lease: "4s" });
    const submitted = await submitAgents(fleet, count, { steps });
    const places = Math.ceil(count / 3);
    const workers = await Promise.all(Array.from({ length: 3 }, () => fleet.startWorker(places)));
    const ended = async () => (await fleet.statuses()).every(({ state }) => state === "done");
    for (let round = 0; round < runs(3) && !(await ended()); round += 1) {
      // A run that gets no further in five attempts is dead: more of them need more time between two kills.
      await pause(Math.random() * size(1500, 4000));
      const victim = workers[Math.floor(Math.random() * workers.length)];
      if (victim === undefined) continue;
      await end(victim.child);
      workers[workers.indexOf(victim)] = await fleet.startWorker(places);
    }
    await fleet.until("done");
    await expectWhole(fleet, count);
    // Of every call that did not append its line, the model knows that it may not have.
    const lines = readFileSync(join(fleet.project.cwd, "lines.txt"), "utf8").trim().split("\n");
    const missing = count * steps.length - lines.length;
    expect(await cutOffCalls(fleet, submitted)).toBeGreaterThanOrEqual(missing);
  }, 1_800_000);

  it("survive a worker that sleeps longer than its lease: what it does afterwards is not stored", async () => {
    const fleet = await newFleet(server, SHORT);
    await submitAgents(fleet, 3, { gate: "gate" });
    const sleeper = await fleet.startWorker(3);
    await eventually(async () => expect((await fleet.statuses()).every(({ steps }) => steps > 2)).toBe(true));
    freeze(sleeper.child);
    fleet.project.write("gate", "");
    const awake = await fleet.startWorker(3);
    await fleet.until("done");
    const before = [await fleet.statuses(), await entriesOf(fleet)];
    thaw(sleeper.child);
    await eventually(() =>
      expect(sleeper.said().split("it was cancelled, or another worker has it")).toHaveLength(4),
    );
    expect([await fleet.statuses(), await entriesOf(fleet)]).toEqual(before);
    await end(awake.child);
    await expectWhole(fleet, 3);
  });

  it.each(["SIGINT", "SIGKILL"] as const)(
    "wait for PostgreSQL after its %s, and go on",
    async (signal) => {
      const fleet = await newFleet(server, SHORT);
      await submitAgents(fleet, 4);
      await fleet.startWorker(2);
      await fleet.startWorker(2);
      await eventually(async () =>
        expect((await fleet.statuses()).some(({ steps }) => steps > 2)).toBe(true),
      );
      await server.stop(signal);
      await pause(1000);
      await server.start();
      await fleet.until("done");
      await expectWhole(fleet, 4);
    },
    300_000,
  );

  it("of a worker that a cut network keeps from the database go on elsewhere, and it takes others when it heals", async () => {
    const fleet = await newFleet(server, SHORT);
    const network = await cutNetwork(server.port);
    const way = new URL(fleet.url);
    way.port = String(network.port);
    await submitAgents(fleet, 3, { gate: "gate" });
    const cutOff = await fleet.startWorker(3, { TENTERHOOK_DATABASE_URL: way.href });
    const silences = () => cutOff.said().split("has not answered for a lease").length - 1;
    await eventually(async () => expect((await fleet.statuses()).every(({ steps }) => steps > 2)).toBe(true));
    const before = silences();
    network.cut();
    fleet.project.write("gate", "");
    const other = await fleet.startWorker(3);
    await eventually(() => expect(silences()).toBeGreaterThan(before));
    await fleet.until("done");
    const stored = [await fleet.statuses(), await entriesOf(fleet)];
    network.heal();
    await eventually(
      () => expect(cutOff.said().split("it was cancelled, or another worker has it")).toHaveLength(4),
      120_000,
    );
    expect([await fleet.statuses(), await entriesOf(fleet)]).toEqual(stored);
    await expectWhole(fleet, 3);
    await end(other.child);

    // Then a router forgets all connections of the worker, and tells nobody.
    await submitAgents(fleet, 1, { from: 3, gate: "next-gate" });
    await eventually(async () => expect((await fleet.statuses()).every(({ steps }) => steps > 2)).toBe(true));
    const soFar = silences();
    network.cut();
    await eventually(() => expect(silences()).toBeGreaterThan(soFar));
    network.healForNew();
    fleet.project.write("next-gate", "");
    await fleet.until("done");
    await expectWhole(fleet, 4);
  });

  it("come back when Redis has forgotten everything", async () => {
    const fleet = await newFleet(server, { ...SHORT, redis: redis.url });
    await submitAgents(fleet, 6);
    await fleet.startWorker(2);
    await eventually(async () => expect((await fleet.statuses()).some(({ steps }) => steps > 2)).toBe(true));
    await redis.empty();
    await fleet.until("done");
    await expectWhole(fleet, 6);
  });

  it("that wait for a human need no worker, and all go on with their answers", async () => {
    const count = runs(8);
    const fleet = await newFleet(server, { config: {} });
    const model = fleet.script("ask", [appendLine("asked"), { text: "Over." }]);
    for (let number = 0; number < count; number += 1) await fleet.submit({ task: `Ask ${number}.`, model });
    const first = await fleet.startWorker(8);
    const parked = await fleet.until("waiting");
    await end(first.child);
    for (const { run_id } of parked) expect((await fleet.fleet("answer", run_id, "yes")).code).toBe(0);
    await fleet.startWorker(4);
    const ended = await fleet.until("done");
    expect(ended.map(({ attempts }) => attempts)).toEqual(parked.map(() => 2));
    const lines = readFileSync(join(fleet.project.cwd, "lines.txt"), "utf8");
    expect(lines).toBe("asked\n".repeat(count));
  }, 600_000);
});
