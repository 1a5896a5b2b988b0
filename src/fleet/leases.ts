import { fenceOff } from "../agent/transcripts/postgres/fence.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import { backoff } from "../node/retry.ts";
import { answererIn } from "./answer.ts";
import { cordonIn } from "./cordon.ts";
import type { QueuedRun } from "./queue.ts";
import {
  type Answerer,
  type AttemptEnd,
  type Cordon,
  MOST_TRIES,
  type RunAgentName,
  type TakenRun,
} from "./run.ts";

export interface WorkerIdentity {
  readonly id: string;
  readonly machine: string;
  /** Tells it from another machine of its name. */
  readonly machine_id: string;
  readonly concurrency: number;
  readonly labels: readonly string[];
  readonly leaseMilliseconds: number;
}

export type Held = Pick<TakenRun, "run_id" | "fence">;

const FIRST_RETRY_MILLISECONDS = 1000;
const LONGEST_RETRY_MILLISECONDS = 300_000;
/** How much one look at the tables takes on. */
const MOST_AT_ONCE = 200;

/** How far the agent of a run has got. */
const MESSAGES =
  "(SELECT count(*) FROM tenterhook.transcript_entries WHERE agent = runs.run AND message IS NOT NULL)";

interface TakenRow {
  readonly run: string;
  readonly fence: number;
  readonly attempts: number;
  readonly tries: number;
  readonly task: string;
  readonly model: string | null;
  readonly cwd: string | null;
  readonly repo: string | null;
  readonly ref: string | null;
  readonly answer: string | null;
  readonly answered: string | null;
  readonly agent: RunAgentName;
  readonly session: string | null;
  readonly session_machine: string | null;
}

/**
 * Takes a run that waits in the queue. `undefined` when another worker has it, or it has ended. A retry may find its own
 * write, so a run that this worker has is the same attempt: ask only for runs that it is not working on.
 */
export async function takeRun(
  database: Postgres,
  run_id: string,
  { id, machine, machine_id, leaseMilliseconds }: Omit<WorkerIdentity, "concurrency" | "labels">,
): Promise<TakenRun | undefined> {
  const [row] = await database.query<TakenRow>(
    `WITH taken AS (
       UPDATE tenterhook.runs SET state = 'running', worker = $2, lease_until = now() + $3 * interval '1 ms',
         attempts = attempts + (state = 'queued')::integer, fence = fence + (state = 'queued')::integer,
         messages_before = CASE WHEN state = 'queued' THEN ${MESSAGES} ELSE messages_before END,
         tries = CASE WHEN state = 'running' THEN tries WHEN ${MESSAGES} > messages_before THEN 1 ELSE tries + 1 END
       WHERE run = $1 AND (state = 'queued' AND due <= now() + interval '1 second' OR state = 'running' AND worker = $2)
       RETURNING *
     ), noted AS (
       INSERT INTO tenterhook.run_attempts (run, number, worker, machine, machine_id)
       SELECT run, attempts, $2, $4, $5 FROM taken
       ON CONFLICT DO NOTHING
     )
     SELECT run, fence, attempts, tries, task, model, cwd, repo, ref, answer, answered, agent, session, session_machine
     FROM taken`,
    [run_id, id, leaseMilliseconds, machine, machine_id],
  );
  if (row === undefined) return undefined;
  const { run, fence, attempts, tries, task, agent, model, cwd, repo, ref, answer } = row;
  const { session, session_machine } = row;
  const optional = { model: model ?? undefined, cwd: cwd ?? undefined, repo: repo ?? undefined };
  return {
    run_id: run,
    fence,
    attempt: attempts,
    tries,
    task,
    agent,
    session: session_machine === null ? undefined : { machine_id: session_machine, id: session ?? undefined },
    ...optional,
    ref: ref ?? undefined,
    answered: whoIn(row.answered),
    ...(answer === null ? {} : { answer: JSON.parse(answer) }),
  };
}

function whoIn(answered: string | null): Answerer | undefined {
  const who = answererIn(answered);
  return who && { by: who.by, channel: who.channel };
}

/** A sign of life of a worker. Returns why it takes no runs, if somebody has said so. */
export async function reportWorker(
  database: Postgres,
  { id, machine, concurrency, labels }: WorkerIdentity,
): Promise<Cordon | undefined> {
  const [row] = await database.query<{ readonly cordoned: string | null }>(
    `INSERT INTO tenterhook.workers (worker, machine, pid, concurrency, labels) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (worker) DO UPDATE SET seen_at = now() RETURNING cordoned`,
    [id, machine, process.pid, concurrency, labels],
  );
  return cordonIn(row?.cordoned ?? null);
}

/** Extends the leases of a worker. Returns the runs it still has. */
export async function renewLeases(
  database: Postgres,
  { leaseMilliseconds }: Pick<WorkerIdentity, "leaseMilliseconds">,
  held: readonly Held[],
): Promise<ReadonlySet<string>> {
  if (held.length === 0) return new Set();
  const rows = await database.query<{ readonly run: string }>(
    `UPDATE tenterhook.runs SET lease_until = now() + $3 * interval '1 ms'
     FROM unnest($1::text[], $2::bigint[]) AS held (run, fence)
     WHERE runs.run = held.run AND runs.fence = held.fence AND runs.state = 'running' RETURNING runs.run`,
    [held.map(({ run_id }) => run_id), held.map(({ fence }) => fence), leaseMilliseconds],
  );
  return new Set(rows.map(({ run }) => run));
}

/**
 * Takes runs from workers that gave no sign of life for a lease: they can write nothing more, and the runs belong into
 * the queue. Those that got no further in too many attempts are dead.
 */
export function expireLeases(database: Postgres): Promise<readonly QueuedRun[]> {
  return database.transaction(async (transaction) => {
    await transaction.query("DELETE FROM tenterhook.workers WHERE seen_at < now() - interval '1 hour'");
    const rows = await transaction.query<QueuedRun & { readonly state: string }>(
      `UPDATE tenterhook.runs SET worker = NULL, lease_until = NULL, fence = fence + 1, queued_at = now(), due = now(),
         state = CASE WHEN dies THEN 'dead' ELSE 'queued' END,
         ended_at = CASE WHEN dies THEN now() END,
         error = CASE WHEN dies THEN to_json('Its workers ended ' || tries || ' times in a row before it got any further.'::text)::text ELSE error END
       FROM (SELECT run AS id, tries >= $1 AND ${MESSAGES} <= messages_before AS dies FROM tenterhook.runs
             WHERE state = 'running' AND lease_until < now() LIMIT $2 FOR UPDATE SKIP LOCKED) AS expired
       WHERE run = expired.id RETURNING run, fence, priority, state`,
      [MOST_TRIES, MOST_AT_ONCE],
    );
    for (const { run } of rows) await fenceOff(transaction, run, new Date().toISOString());
    return rows.filter(({ state }) => state === "queued");
  });
}

/** Runs that have been in the queue for so long that it may have lost them. */
export function overdueRuns(database: Postgres, milliseconds: number): Promise<readonly QueuedRun[]> {
  return database.query<QueuedRun>(
    `UPDATE tenterhook.runs SET queued_at = now() WHERE run IN (
       SELECT run FROM tenterhook.runs WHERE state = 'queued' AND queued_at < now() - $1 * interval '1 ms' AND due <= now()
       ORDER BY queued_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING run, fence, priority`,
    [milliseconds, MOST_AT_ONCE],
  );
}

/** Writes how an attempt ended. Returns what belongs into the queue again, and `lost` when the run has changed hands. */
export async function endAttempt(
  database: Postgres,
  { run_id, fence, tries, session }: TakenRun,
  end: AttemptEnd,
): Promise<QueuedRun | "lost" | undefined> {
  if (end.state === "not here") return handBack(database, { run_id, fence, session }, end.why);
  const isStuck = end.state === "again" && !end.progressed;
  const isDead = isStuck && tries >= MOST_TRIES;
  const isQueued = !isDead && (end.state === "again" || end.state === "handed back");
  const state = isDead ? "dead" : isQueued ? "queued" : end.state;
  const wait =
    end.state === "again"
      ? Math.min(backoff(tries - 1, FIRST_RETRY_MILLISECONDS), LONGEST_RETRY_MILLISECONDS)
      : 0;
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  const [row] = await database.query<QueuedRun>(
    `UPDATE tenterhook.runs SET state = $3, fence = fence + 1, worker = NULL, lease_until = NULL, queued_at = now(),
       due = now() + $4 * interval '1 ms', error = $5, result = $6, waiting_for = $7,
       answer = CASE WHEN $3 = 'queued' THEN answer END, messages_before = ${MESSAGES}, tries = $8,
       ended_at = CASE WHEN $3 IN ('queued', 'waiting') THEN NULL ELSE now() END
     WHERE run = $1 AND fence = $2 AND state = 'running' RETURNING run, fence, priority`,
    [
      run_id,
      fence,
      state,
      wait,
      json("error" in end ? end.error : undefined),
      json("result" in end ? end.result : undefined),
      json("waiting_for" in end ? end.waiting_for : undefined),
      isStuck ? tries : 0,
    ],
  );
  if (row === undefined) return "lost";
  return isQueued ? { ...row, delay: wait } : undefined;
}

/** Gives a run back that its worker can't do, as if that worker had never had it. */
async function handBack(
  database: Postgres,
  { run_id, fence, session }: Held & Pick<TakenRun, "session">,
  why: string,
): Promise<QueuedRun | "lost"> {
  const [row] = await database.query<QueuedRun>(
    `WITH back AS (
       UPDATE tenterhook.runs SET state = 'queued', fence = fence + 1, worker = NULL, lease_until = NULL, queued_at = now(),
         due = now(), error = $3, attempts = attempts - 1, tries = tries - 1,
         session = $4, session_machine = $5
       WHERE run = $1 AND fence = $2 AND state = 'running' RETURNING run, fence, priority, attempts
     ), forgotten AS (
       DELETE FROM tenterhook.run_attempts USING back WHERE run_attempts.run = back.run AND number = attempts + 1
     )
     SELECT run, fence, priority FROM back`,
    [run_id, fence, JSON.stringify(why), session?.id ?? null, session?.machine_id ?? null],
  );
  return row ?? "lost";
}
