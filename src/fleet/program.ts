import type { Postgres } from "../node/postgres/open-postgres.ts";
import type { Held } from "./leases.ts";
import type { TakenRun } from "./run.ts";

const MINE = "run = $1 AND fence = $2 AND state = 'running'";

/** For how many milliseconds a worker still has a run; `undefined` when it has lost it. */
export async function leaseLeft(database: Postgres, { run_id, fence }: Held): Promise<number | undefined> {
  const [row] = await database.query<{ readonly left: number }>(
    `SELECT (extract(epoch FROM lease_until - now()) * 1000)::integer AS left FROM tenterhook.runs WHERE ${MINE}`,
    [run_id, fence],
  );
  return row?.left;
}

/** On which machine the program of a run was started, and the session that it can continue there. */
export async function noteSession(
  database: Postgres,
  { run_id, fence }: Held,
  { id, machine_id }: NonNullable<TakenRun["session"]>,
): Promise<void> {
  await database.query(`UPDATE tenterhook.runs SET session = $3, session_machine = $4 WHERE ${MINE}`, [
    run_id,
    fence,
    id ?? null,
    machine_id,
  ]);
}

/** How an attempt has begun, for people. */
export async function noteBeginning(
  database: Postgres,
  { run_id, fence }: Held,
  note: string,
): Promise<void> {
  await database.query(`UPDATE tenterhook.runs SET note = $3 WHERE ${MINE}`, [
    run_id,
    fence,
    JSON.stringify(note),
  ]);
}

/** The id of the machine of the attempt before this one; `undefined` for the first attempt. */
export async function machineBefore(
  database: Postgres,
  { run_id, attempt }: { readonly run_id: string; readonly attempt: number },
): Promise<string | undefined> {
  const [row] = await database.query<{ readonly machine_id: string }>(
    "SELECT machine_id FROM tenterhook.run_attempts WHERE run = $1 AND number = $2",
    [run_id, attempt - 1],
  );
  return row?.machine_id;
}
