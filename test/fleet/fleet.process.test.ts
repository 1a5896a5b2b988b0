import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { eventually } from "../support/processes.ts";
import { appendLine, fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

describe("a run", () => {
  it("is submitted once for a key, worked on, and shown with its steps and its log", async () => {
    const { fleet, script, startWorker, until, project } = await newFleet(server);
    const model = script("steps", [appendLine("one"), { text: "All done." }]);
    const submit = ["submit", "Do it.", "--model", model, "--key", "k1", "--json"];
    const [first, second] = [await fleet(...submit), await fleet(...submit)];
    const { run_id } = JSON.parse(first.stdout);
    expect(JSON.parse(second.stdout)).toEqual({ run_id });
    const { child } = await startWorker();
    await until("done");
    const { runs, workers } = JSON.parse((await fleet("status", "--json")).stdout);
    expect(runs).toEqual([
      {
        run_id,
        state: "done",
        attempts: 1,
        worker: null,
        machine: expect.any(String),
        steps: 4,
        session_id: run_id,
        submitted_at: expect.stringMatching(/^2.*Z$/),
        task: "Do it.",
        agent: "own",
        usage: expect.anything(),
        result: { text: "All done." },
      },
    ]);
    expect(workers).toEqual([
      {
        id: expect.stringContaining(`-${child.pid}-`),
        machine: expect.any(String),
        running: 0,
        concurrency: 4,
        labels: [],
        seen_at: expect.stringMatching(/^2.*Z$/),
      },
    ]);
    expect((await fleet("logs", run_id.slice(0, 8))).stdout).toBe(
      "you: Do it.\ncalls: Bash echo one >> lines.txt\nresult: (no output)\nagent: All done.\n",
    );
    expect(readFileSync(join(project.cwd, "lines.txt"), "utf8")).toBe("one\n");
  });

  it("obeys the hooks of the worker's user", async () => {
    const { submit, script, work, until, project, store } = await newFleet(server, {
      config: {
        permissions: { mode: "bypass" },
        hooks: {
          definitions: [
            rulesHook("team-rule", 'args.command contains "forbidden" -> deny("The team says no.")'),
          ],
        },
      },
    });
    const run = await submit({
      task: "Try.",
      model: script("s", [appendLine("forbidden"), { text: "Over." }]),
    });
    await work();
    await until("done");
    expect(JSON.stringify((await store.load(run))?.messages)).toContain("The team says no.");
    expect(existsSync(join(project.cwd, "lines.txt"))).toBe(false);
  });

  it("that asks waits without a process, and another worker goes on with the answer", async () => {
    const { submit, script, work, until, fleet, project } = await newFleet(server, { config: {} });
    const run = await submit({ task: "Ask.", model: script("s", [appendLine("asked"), { text: "Over." }]) });
    const first = await work();
    const [parked] = await until("waiting");
    expect(parked).toMatchObject({ worker: null, waiting_for: { type: "permission", tool_name: "Bash" } });
    await first.end();
    const answered = await fleet("answer", run, "yes");
    expect([answered.code, answered.stdout]).toEqual([0, `Run ${run} goes on with your answer.\n`]);
    const again = await fleet("answer", run, "yes");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("waits for no answer")]);
    await work();
    expect((await until("done"))[0]).toMatchObject({ attempts: 2, result: { text: "Over." } });
    expect(readFileSync(join(project.cwd, "lines.txt"), "utf8")).toBe("asked\n");
  });

  it("that is cancelled stops where it is", async () => {
    const { submit, script, work, statuses, until, fleet, store } = await newFleet(server);
    const run = await submit({
      task: "Wait.",
      model: script("s", [appendLine("one"), { delay_ms: 60_000, text: "Never." }]),
    });
    const { said } = await work();
    await eventually(async () => expect((await statuses())[0]?.steps).toBe(3));
    expect((await fleet("cancel", run)).stdout).toBe(`Run ${run} is cancelled.\n`);
    await eventually(() => expect(said()).toContain("it was cancelled, or another worker has it"));
    expect((await until("cancelled"))[0]).toMatchObject({ run_id: run, attempts: 1 });
    expect(JSON.stringify((await store.load(run))?.messages)).not.toContain("Never.");
    expect((await fleet("cancel", run)).stdout).toBe(`Run ${run} had ended before: cancelled.\n`);
  });

  it("refuses what can't work, with a sentence", async () => {
    const { fleet } = await newFleet(server);
    const said = async (...args: readonly string[]) => (await fleet(...args)).stderr.split("\n")[0];
    expect([
      await said("submit"),
      await said("submit", "x", "--cwd", "/nowhere"),
      await said("submit", "x", "--ref", "main"),
      await said("submit", "x", "--priority", "high"),
      await said("logs", "none"),
      await said("worker", "--lease", "10ms"),
    ]).toEqual([
      "The task is missing.",
      "--cwd: there is no folder /nowhere.",
      "--ref needs --repo.",
      "--priority is a whole number from -1000 to 1000.",
      'No run begins with "none".',
      "--lease is at least 1s.",
    ]);
  });
});
