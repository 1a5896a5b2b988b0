import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freeze, thaw } from "../support/faults/kill.ts";
import { postgresServer } from "../support/postgres.ts";
import { end, eventually, isAlive } from "../support/processes.ts";
import { programFleet } from "./support/program-fleet.ts";

const server = await postgresServer();

describe("a run of a real program", () => {
  it("that reaches a limit of its own has failed, with its words", async () => {
    const { submit, startWorker, until } = await programFleet(server);
    await submit({ task: "fail", agent: "claude" });
    await startWorker();
    expect(await until("failed", "dead")).toMatchObject([
      { state: "failed", attempts: 1, error: "It took too many turns." },
    ]);
  });

  it("that worked before it ended like one that is not there has had its attempt", async () => {
    const { submit, startWorker, statuses } = await programFleet(server);
    await submit({ task: "missing", agent: "claude" });
    const worker = await startWorker();
    await eventually(async () => expect((await statuses())[0]?.error).toContain("code 127"), 60_000);
    expect((await statuses())[0]?.attempts).toBe(1);
    expect(worker.said()).not.toContain("handed back");
  });

  it("that is cancelled ends with everything it has started", async () => {
    const { submit, startWorker, fleet, pids, gone, until } = await programFleet(server);
    const run = await submit({ task: "long", agent: "claude" });
    await startWorker();
    const running = await pids();
    await fleet("cancel", run);
    await gone(running);
    await until("cancelled");
  });

  it("whose worker is killed ends, and goes on in its own session on the same machine", async () => {
    const { submit, startWorker, endLeases, pids, gone, until, begun } = await programFleet(server);
    await submit({ task: "long", agent: "claude" });
    const { child } = await startWorker();
    const running = await pids();
    await end(child);
    await gone(running);
    await endLeases();
    await startWorker();
    const [run] = await until("done", "failed", "dead");
    expect(run).toMatchObject({
      ...{ state: "done", attempts: 2 },
      note: expect.stringContaining("goes on in its own session"),
    });
    expect(begun()).toEqual([
      "new long",
      expect.stringMatching(/^resumed The work on your task was interrupted/),
    ]);
  });

  it("whose worker stands still ends with the lease, before another worker begins", async () => {
    const { submit, startWorker, pids, until, begun } = await programFleet(server, { lease: "10s" });
    await submit({ task: "long", agent: "claude" });
    const { child } = await startWorker();
    const running = await pids();
    freeze(child);
    await startWorker();
    await eventually(() => expect(begun()).toHaveLength(2), 60_000);
    expect(running.filter(isAlive)).toEqual([]);
    thaw(child);
    expect(await until("done", "failed", "dead")).toMatchObject([{ state: "done", attempts: 2 }]);
    expect(begun()).toHaveLength(2);
  });

  it("that another machine takes over begins again there, and is told so", async () => {
    const { submit, startWorker, endLeases, pids, gone, until, begun, fleet, database, project } =
      await programFleet(server);
    const run = await submit({ task: "long", agent: "claude" });
    const { child } = await startWorker();
    const running = await pids();
    await end(child);
    await gone(running);
    rmSync(join(project.cwd, "pids.txt"));
    // As if the worker that was killed had been on another machine.
    await database.query("UPDATE tenterhook.runs SET session_machine = 'another' WHERE run = $1", [run]);
    await endLeases();
    await startWorker();
    const again = await pids();
    await eventually(async () =>
      expect((await fleet("logs", run)).stdout).toContain("nobody knows what it has done. Look first."),
    );
    expect(begun()).toEqual(["new long", "new long"]);
    expect((await until("running"))[0]?.note).toContain("begins again");
    await fleet("cancel", run);
    await gone(again);
  });

  it("whose session is gone is interrupted until somebody retries it, and then begins again, told so", async () => {
    const { submit, startWorker, endLeases, pids, gone, until, begun, fleet, project, environment } =
      await programFleet(server);
    const run = await submit({ task: "long", agent: "claude" });
    const { child } = await startWorker();
    const running = await pids();
    await end(child);
    await gone(running);
    rmSync(join(environment.HOME ?? "", "sessions"), { recursive: true });
    await endLeases();
    await startWorker();
    expect(await until("done", "failed", "dead")).toMatchObject([
      { state: "failed", error: expect.stringMatching(/^interrupted: its session can't be continued/) },
    ]);
    expect(begun()).toEqual(["new long"]);
    rmSync(join(project.cwd, "pids.txt"));
    await fleet("retry", run);
    const again = await pids();
    expect(begun()).toEqual(["new long", "new long"]);
    const [now] = await until("running");
    expect(now?.note).toContain("begins again");
    await fleet("cancel", run);
    await gone(again);
  });

  it("ends by itself when its worker is asked to end", async () => {
    const { submit, startWorker, begun, until } = await programFleet(server);
    await submit({ task: "slow", agent: "claude" });
    const { child } = await startWorker();
    await eventually(() => expect(begun()).toContain("slow"), 60_000);
    await end(child, "SIGTERM");
    expect(await until("done", "queued")).toMatchObject([{ state: "done", attempts: 1 }]);
  });

  it("waits for a worker that has the program", async () => {
    const { submit, startWorker, statuses } = await programFleet(server);
    const run = await submit({ task: "Do it.", agent: "codex" });
    const { said } = await startWorker();
    await eventually(() => expect(said()).toContain(`${run} waits for a worker that has the program codex.`));
    expect(await statuses()).toMatchObject([{ state: "queued", attempts: 0 }]);
  });
});
