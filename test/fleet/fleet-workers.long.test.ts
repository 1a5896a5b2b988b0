import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { overdueRuns } from "../../src/fleet/leases.ts";
import { end, eventually } from "../support/processes.ts";
import { appendLine, fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

const FAULT = "process.on('SIGUSR2', () => { throw new Error('A fault of the worker.'); });";
/** A worker with these variables breaks at a SIGUSR2. */
const FAULTY = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(FAULT)}"` };
/** The model of a worker that breaks says nothing more after its third step; that of the next one goes on. */
const BREAKS_HERE = [appendLine("one"), { delay_ms: 60_000, text: "Never." }];
const GOES_ON = [appendLine("one"), { text: "Over." }];

describe("a worker", () => {
  it("that is told to end takes nothing more, and lets its run and the program of that end", async () => {
    const { submit, script, startWorker, work, statuses, until, project } = await newFleet(server);
    const command = "echo begun >> lines.txt; until [ -e gate ]; do sleep 0.1; done; echo ended >> lines.txt";
    const calls = { tool_calls: [{ name: "Bash", input: { command } }] };
    await submit({ task: "Slow.", model: script("slow", [calls, { delay_ms: 1000, text: "Over." }]) });
    const { child } = await startWorker(1);
    const lines = join(project.cwd, "lines.txt");
    await eventually(() => expect(existsSync(lines)).toBe(true));
    await submit({ task: "Later.", model: script("later", [{ text: "Over." }]) });
    const ended = end(child, "SIGTERM");
    project.write("gate", "");
    await ended;
    expect(readFileSync(lines, "utf8")).toBe("begun\nended\n");
    const states = (await statuses()).map(({ task, state, attempts }) => [task, state, attempts]);
    expect(states.sort()).toEqual([
      ["Later.", "queued", 0],
      ["Slow.", "done", 1],
    ]);
    await work();
    await until("done");
  });

  it("that breaks hands its runs back, also when it is killed while it stores why it stopped one", async () => {
    const { submit, script, startWorker, work, statuses, until, database, store } = await newFleet(server);
    const model = script("s", BREAKS_HERE);
    const handedBack = await submit({ task: "Go on.", model });
    const killed = await submit({ task: "Go on, too.", model });
    const { child, said } = await startWorker(2, FAULTY);
    await eventually(async () => expect((await statuses()).map(({ steps }) => steps)).toEqual([3, 3]));
    await end(child, "SIGUSR2");
    expect(said()).toContain("A fault of the worker.");
    for (const run of [handedBack, killed]) {
      const { metadata, messages = [] } = (await store.load(run)) ?? {};
      expect([metadata?.status, messages.at(-1)]).toMatchObject(["cancelled", { ended: "cancelled" }]);
    }
    // The answer is stored before the status.
    await database.query(
      `UPDATE tenterhook.transcripts SET status = 'running',
         metadata = replace(metadata, '"status":"cancelled"', '"status":"running"') WHERE agent = $1`,
      [killed],
    );
    script("s", GOES_ON);
    await work();
    const ended = await until("done", "failed");
    expect(ended.map(({ state, attempts }) => [state, attempts])).toEqual([
      ["done", 2],
      ["done", 2],
    ]);
  });

  it("that loses a run after the agent has answered costs it nothing either", async () => {
    const { submit, script, work, statuses, until, database, queue } = await newFleet(server);
    await submit({ task: "Answer.", model: script("s", [{ text: "Over." }]) });
    await work();
    await until("done");
    await database.query(
      `UPDATE tenterhook.transcripts SET status = 'cancelled',
         metadata = replace(metadata, '"status":"complete"', '"status":"cancelled"');
       UPDATE tenterhook.runs SET state = 'queued', fence = fence + 1, result = NULL, ended_at = NULL`,
    );
    for (const queued of await overdueRuns(database, 0)) await queue.add(queued);
    await eventually(async () => expect((await statuses())[0]).toMatchObject({ state: "done", attempts: 2 }));
    expect((await statuses())[0]?.result?.text).toBe("Over.");
  });
});
