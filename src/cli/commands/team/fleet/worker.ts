import { TRANSCRIPTS } from "../../../../agent/transcripts/postgres/schema.ts";
import { openQueue, REDIS_VARIABLE } from "../../../../fleet/queue.ts";
import { FLEET } from "../../../../fleet/schema.ts";
import { FleetWorker } from "../../../../fleet/worker.ts";
import { connect, openPostgres, type Postgres } from "../../../../node/postgres/open-postgres.ts";
import { type Invocation, numberOption, textOption } from "../../../command-line/command.ts";
import { harmless } from "../../../command-line/screen/text.ts";
import { secondsOption } from "../../../command-line/seconds-option.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { neededDatabase } from "../needed-database.ts";
import { agentRunner } from "./run-agent.ts";

const LEASE_SECONDS = 15;
const LEAST_LEASE_SECONDS = 1;
/** Shorter than the time that the row of the command has for its end. */
const DRAIN_MILLISECONDS = 30_000;
/** A statement takes milliseconds, so many runs share few connections; a server has about 100 for all workers. */
const MOST_CONNECTIONS = 20;

/** `tenterhook fleet worker`: works on runs until it is told to end. */
export async function work(invocation: Invocation): Promise<void> {
  const { environment, screen, signal } = invocation;
  const concurrency = numberOption(invocation, "concurrency") ?? 1;
  const lease = secondsOption(invocation, "lease") ?? LEASE_SECONDS;
  if (lease < LEAST_LEASE_SECONDS)
    throw usageError(`--lease is at least ${LEAST_LEASE_SECONDS}s.`, "Default 15s.");
  const address = await neededDatabase(environment);
  // A worker waits for its server as long as it takes.
  const settings = { address, patienceMilliseconds: Number.POSITIVE_INFINITY };
  const connections = Math.min(concurrency + 2, MOST_CONNECTIONS);
  const database = await openPostgres([TRANSCRIPTS, FLEET], { ...settings, connections });
  const leases = await connect({ ...settings, connections: 2, answerMilliseconds: (lease * 1000) / 2 });
  const queue = await openQueue(address, environment[REDIS_VARIABLE]);
  const report = (text: string): void => screen.tell(harmless(text));
  const models = textOption(invocation, "models");
  const worker = new FleetWorker({
    ...{ database, leases, queue, concurrency, report, leaseMilliseconds: lease * 1000 },
    runAgent: agentRunner(database, environment, report),
    ...(models === undefined ? {} : { takes: byModel(database, models) }),
  });
  await worker.start();
  screen.print(`Worker ${worker.id} takes runs from ${database.place}. Ctrl-C lets them end.`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  await worker.close(DRAIN_MILLISECONDS);
  await queue.close();
  await leases.close();
  await database.close();
}

/** Whether a run's model fits a pattern such as `anthropic/*`. Runs without a model fit every pattern. */
function byModel({ query }: Postgres, pattern: string) {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const fits = new RegExp(`^${parts.join(".*")}$`);
  return async (run_id: string): Promise<boolean> => {
    const [row] = await query<{ readonly model: string | null }>(
      "SELECT model FROM tenterhook.runs WHERE run = $1",
      [run_id],
    );
    return row === undefined || row.model === null || fits.test(row.model);
  };
}
