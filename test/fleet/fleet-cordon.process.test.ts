import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

const AT_ONCE = [{ text: "Over." }];
/** A lease so short that a worker looks at its machine twice a second. */
const OFTEN = { lease: "2s" };

describe("a worker", () => {
  it("hands back what its machine can't do, takes no more after three such runs, and goes on once it is mended", async () => {
    const { submit, script, work, until, statuses, fleet, database, project } = await newFleet(server, OFTEN);
    const model = script("s", AT_ONCE);
    const gone = join(project.folder, "not-yet");
    for (const task of ["one", "two", "three", "four"]) await submit({ task, model, cwd: gone });
    const worker = await work({ concurrency: "1" });
    await eventually(() => expect(worker.said()).toContain("Cordoned by itself"));
    // None of them has failed, and none has had an attempt.
    const why = `${hostname()} has no folder ${gone}.`;
    expect((await statuses()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(4).fill(["queued", 0]),
    );
    expect((await statuses()).filter(({ error }) => error === why)).toHaveLength(3);
    expect((await fleet("status")).stdout).toContain(`takes no runs, cordoned by itself: ${why}`);
    mkdirSync(gone);
    expect((await until("done")).map(({ attempts, error }) => [attempts, error])).toEqual(
      Array(4).fill([1, undefined]),
    );
    expect(await database.query("SELECT number FROM tenterhook.run_attempts")).toHaveLength(4);
    expect(worker.said()).toContain("Takes runs again.");
  });

  it("that a person has cordoned finishes what it has, and takes runs again when told so", async () => {
    const { submit, script, work, statuses, until, fleet, project, database } = await newFleet(server);
    const wait = {
      tool_calls: [{ name: "Bash", input: { command: "while [ ! -e go ]; do sleep 0.1; done" } }],
    };
    const first = await submit({ task: "First.", model: script("first", [wait, ...AT_ONCE]) });
    const worker = await work({ concurrency: "2" });
    const stateOf = async (run: string) => (await statuses()).find(({ run_id }) => run_id === run)?.state;
    await eventually(async () => expect(await stateOf(first)).toBe("running"));
    const cordoned = await fleet("cordon", hostname());
    expect([cordoned.code, cordoned.stdout]).toEqual([0, expect.stringContaining("takes no more runs")]);
    await eventually(() => expect(worker.said()).toContain("takes no more runs"));
    const second = await submit({ task: "Second.", model: script("second", AT_ONCE) });
    project.write("go", "");
    await eventually(async () => expect(await stateOf(first)).toBe("done"));
    expect(await stateOf(second)).toBe("queued");
    expect((await fleet("uncordon", hostname())).code).toBe(0);
    await until("done");
    // Another machine whose name begins with that of this one.
    await database.query(
      "INSERT INTO tenterhook.workers (worker, machine, pid, concurrency) VALUES ($1 || '0-1-ab', $1 || '0', 1, 1)",
      [hostname()],
    );
    const { workers } = JSON.parse((await fleet("cordon", hostname(), "--json")).stdout);
    expect(workers).toEqual([expect.stringContaining(`${hostname()}-`)]);
    expect((await fleet("cordon", "nobody")).stderr).toContain('There is no worker "nobody".');
  });
});
