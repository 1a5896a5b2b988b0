import { randomBytes } from "node:crypto";
import { fenceOff } from "../agent/transcripts/postgres/fence.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { tell } from "../node/postgres/news.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import type { QueuedRun } from "./queue.ts";
import type { RunOrder } from "./run.ts";

/** The channel that tells workers of runs that changed. */
export const RUN_NEWS = "tenterhook_runs";

const QUEUED = "run, fence, priority";

/** Adds a run, or finds the one that has the same key. What is returned belongs into the queue. */
export async function submitRun(database: Postgres, order: RunOrder): Promise<QueuedRun> {
  const { task, agent = "own", model, cwd, repo, ref, needs = [], priority = 0, key } = order;
  const run = randomBytes(8).toString("hex");
  // A key of its own lets the statement be done twice.
  const unique = key === undefined ? `run ${run}` : `key ${key}`;
  const place = [model ?? null, cwd ?? null, repo ?? null, ref ?? null];
  const values = [run, unique, task, ...place, priority, agent, needs];
  const [row] = await database.query<QueuedRun>(
    `INSERT INTO tenterhook.runs (run, key, task, model, cwd, repo, ref, priority, agent, needs, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'queued')
     ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING ${QUEUED}`,
    values,
  );
  if (row === undefined) throw new TenterhookError("store_failed", `${database.place} took no run.`);
  return row;
}

/**
 * Ends a run. A worker that has it can write nothing more and stops.
 *
 * @returns whether it had not ended before.
 */
export function cancelRun(database: Postgres, run_id: string): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const cancelled = await transaction.query(
      `UPDATE tenterhook.runs SET state = 'cancelled', fence = fence + 1, worker = NULL, lease_until = NULL, ended_at = now()
       WHERE run = $1 AND state IN ('queued', 'running', 'waiting') RETURNING 1`,
      [run_id],
    );
    if (cancelled.length === 0) return false;
    await fenceOff(transaction, run_id, new Date().toISOString());
    await tell(transaction, RUN_NEWS, run_id);
    return true;
  });
}

/** Begins again with a run that failed, is dead or was cancelled; its agent goes on where it was. */
export async function retryRun(database: Postgres, run_id: string): Promise<QueuedRun | undefined> {
  const [row] = await database.query<QueuedRun>(
    `UPDATE tenterhook.runs SET state = 'queued', fence = fence + 1, tries = 0, error = NULL, ended_at = NULL, due = now(),
       queued_at = now() WHERE run = $1 AND state IN ('failed', 'dead', 'cancelled') RETURNING ${QUEUED}`,
    [run_id],
  );
  return row;
}
