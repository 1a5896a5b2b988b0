import { setTimeout as pause } from "node:timers/promises";
import { withRuns } from "../../../../fleet/open-fleet.ts";
import type { RunStatus, WorkerStatus } from "../../../../fleet/run.ts";
import { findRun, runsIn, workersIn } from "../../../../fleet/status.ts";
import type { Postgres } from "../../../../node/postgres/open-postgres.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { type Report, table } from "../../../command-line/screen/report.ts";
import { printReport } from "../../../command-line/screen/screen.ts";
import type { Column } from "../../../command-line/screen/table.ts";
import { ago, counted, dim, harmlessLine } from "../../../command-line/screen/text.ts";
import { dollars } from "../../monitor/costs.ts";

const WATCH_MILLISECONDS = 1000;

/** `tenterhook fleet status`: runs and workers. */
export async function run(invocation: Invocation): Promise<void> {
  const { signal } = invocation;
  await withRuns(invocation.environment, async (database) => {
    printReport(await statusOf(database, invocation), invocation);
    while (flagOption(invocation, "watch") && !signal.aborted) {
      await pause(WATCH_MILLISECONDS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) printReport(await statusOf(database, invocation), invocation);
    }
  });
}

async function statusOf(database: Postgres, { names: [id] }: Invocation): Promise<Report> {
  const runs = id === undefined ? await runsIn(database) : [await findRun(database, id)];
  const workers = await workersIn(database);
  const busy = workers.reduce((sum, { running }) => sum + running, 0);
  const most = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const waiting = runs.find(({ state }) => state === "waiting");
  return {
    json: { runs, workers },
    blocks: [
      runs.length === 0 ? "There are no runs. tenterhook fleet submit adds one." : table(COLUMNS, runs),
      `${counted(workers.length, "worker")}: ${busy} of ${counted(most, "place")} taken.`,
      workers.map(cordonText),
      waiting && dim(`tenterhook fleet answer ${waiting.run_id} "yes" answers what a run waits for.`),
    ],
  };
}

function cordonText({ id, cordoned }: WorkerStatus): string | undefined {
  if (cordoned === undefined) return undefined;
  const { by, why, drains } = cordoned;
  const what = drains === true ? "ends with its last run" : "takes no runs";
  return harmlessLine(`${id} ${what}, cordoned by ${by}${why === undefined ? "" : `: ${why}`}`);
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
