import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

const AT_ONCE = [{ text: "Over." }];

describe("a worker", () => {
  it("takes runs of a higher priority first, and those of the same one as they came", async () => {
    const { fleet, script, work, until, database } = await newFleet(server);
    const model = script("s", AT_ONCE);
    for (const [task, priority] of [
      ["low", "-1000"],
      ["first usual", "0"],
      ["second usual", "0"],
      ["high", "1000"],
    ] as const) {
      const { code, stderr } = await fleet("submit", task, "--model", model, `--priority=${priority}`);
      expect([code, stderr]).toEqual([0, ""]);
    }
    await work({ concurrency: "1" });
    await until("done");
    const taken = await database.query(
      "SELECT task FROM tenterhook.runs JOIN tenterhook.run_attempts USING (run) ORDER BY started_at",
    );
    expect(taken).toEqual(["high", "first usual", "second usual", "low"].map((task) => ({ task })));
  });

  it("with --models leaves runs of other models to others", async () => {
    const { submit, script, work, statuses, until } = await newFleet(server);
    const others = await submit({ task: "Others.", model: script("others", AT_ONCE), priority: 1 });
    const mine = await submit({ task: "Mine.", model: script("mine", AT_ONCE) });
    const picky = await work({ concurrency: "1", models: "scripted:*/mine.json" });
    const found = async () => new Map((await statuses()).map((run) => [run.run_id, run]));
    await eventually(async () => expect((await found()).get(mine)?.state).toBe("done"));
    // It was offered the other one first.
    expect((await found()).get(others)).toMatchObject({ state: "queued", attempts: 0 });
    expect(picky.said()).not.toContain(others);
    await picky.end();
    await work();
    expect(await until("done")).toHaveLength(2);
  });

  it("takes runs that need what its labels say, and leaves the others", async () => {
    const { fleet, script, work, statuses, until } = await newFleet(server);
    const model = script("s", AT_ONCE);
    const submit = ["submit", "--model", model, "--needs", "gpu", "--needs", "linux"];
    expect((await fleet(...submit, "With both.")).code).toBe(0);
    const plain = await work({ concurrency: "1" });
    expect((await fleet("submit", "Plain.", "--model", model)).code).toBe(0);
    await eventually(async () =>
      expect((await statuses()).map(({ task, state }) => [task, state]).sort()).toEqual([
        ["Plain.", "done"],
        ["With both.", "queued"],
      ]),
    );
    await plain.end();
    await work({ concurrency: "1" }, { label: ["gpu", "linux", "large"] });
    await until("done");
  });

  it("that is drained ends", async () => {
    const { startWorker, fleet } = await newFleet(server);
    const { child } = await startWorker(1);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    expect((await fleet("drain", `${hostname()}-${child.pid}`)).code).toBe(0);
    expect(await ended).toBe(0);
    expect(JSON.parse((await fleet("status", "--json")).stdout).workers).toEqual([]);
  });
});

describe("a run that was begun", () => {
  it("comes before all that nobody has begun", async () => {
    const { submit, script, work, until, fleet, database } = await newFleet(server, { config: {} });
    const ask = [{ tool_calls: [{ name: "Bash", input: { command: "echo asked" } }] }, ...AT_ONCE];
    const first = await submit({ task: "Asks.", model: script("asks", ask) });
    const worker = await work({ concurrency: "1" });
    await until("waiting");
    await worker.end();
    for (const task of ["Later one.", "Later two."]) await submit({ task, model: script("s", AT_ONCE) });
    expect((await fleet("answer", first, "yes")).code).toBe(0);
    await work({ concurrency: "1" });
    await until("done");
    const taken = await database.query(
      "SELECT task FROM tenterhook.runs JOIN tenterhook.run_attempts USING (run) ORDER BY started_at",
    );
    expect(taken).toEqual(["Asks.", "Asks.", "Later one.", "Later two."].map((task) => ({ task })));
  });
});
