import { setTimeout as pause } from "node:timers/promises";
import { withRuns } from "../../../../fleet/open-fleet.ts";
import type { RunStatus } from "../../../../fleet/run.ts";
import { findRun, runsIn, workersIn } from "../../../../fleet/status.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { type Column, tableLines } from "../../../command-line/screen/table.ts";
import { ago, counted, harmlessLine } from "../../../command-line/screen/text.ts";
import { dollars } from "../../monitor/costs.ts";

const WATCH_MILLISECONDS = 1000;

/** `tenterhook fleet status`: runs and workers. */
export async function run(invocation: Invocation): Promise<void> {
  const { signal } = invocation;
  await withRuns(invocation.environment, async (database) => {
    await show(database, invocation);
    while (flagOption(invocation, "watch") && !signal.aborted) {
      await pause(WATCH_MILLISECONDS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await show(database, invocation);
    }
  });
}

async function show(database: Postgres, { names: [id], screen, json }: Invocation): Promise<void> {
  const runs = id === undefined ? await runsIn(database) : [await findRun(database, id)];
  const workers = await workersIn(database);
  if (json) return screen.json({ runs, workers });
  if (runs.length === 0) screen.print("There are no runs. tenterhook fleet submit adds one.");
  else {
    const [head = "", ...rows] = tableLines(COLUMNS, runs, screen.width);
    screen.print(screen.paint.bold(head), ...rows);
  }
  const busy = workers.reduce((sum, { running }) => sum + running, 0);
  const most = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  screen.print(`${counted(workers.length, "worker")}: ${busy} of ${counted(most, "place")} taken.`);
  const waiting = runs.find(({ state }) => state === "waiting");
  if (waiting !== undefined)
    screen.print(
      screen.paint.dim(`tenterhook fleet answer ${waiting.run_id} "yes" answers what a run waits for.`),
    );
}

const COLUMNS: readonly Column<RunStatus>[] = [
  { title: "RUN", cell: ({ run_id }) => run_id },
  { title: "STATE", cell: ({ state }) => state },
  { title: "ATTEMPTS", cell: ({ attempts }) => String(attempts), right: true },
  { title: "STEPS", cell: ({ steps }) => String(steps), right: true },
  {
    title: "COST",
    cell: ({ usage }) => (usage?.cost_usd === undefined ? "" : dollars(usage.cost_usd)),
    right: true,
  },
  { title: "AGE", cell: ({ submitted_at }) => ago(submitted_at), right: true },
  { title: "MACHINE", cell: ({ machine, worker }) => (worker === null ? "" : harmlessLine(machine ?? "")) },
  { title: "TASK", cell: ({ task, error }) => harmlessLine(error ?? task), least: 20 },
];
