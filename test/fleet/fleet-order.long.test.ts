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
});
