import { TenterhookError } from "../core/base/errors.ts";
import { isRecord, parseJson, parseRecord } from "../core/base/json.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { Postgres } from "../node/postgres/open-postgres.ts";
import { cordonIn } from "./cordon.ts";
import type { RunAgentName, RunState, RunStatus, WorkerStatus } from "./run.ts";

interface RunRow {
  readonly run: string;
  readonly state: RunState;
  readonly attempts: number;
  readonly worker: string | null;
  readonly machine: string | null;
  readonly steps: number;
  readonly submitted_at: Date;
  readonly task: string;
  readonly error: string | null;
  readonly waiting_for: string | null;
  readonly result: string | null;
  readonly agent: RunAgentName;
  readonly session: string | null;
  readonly note: string | null;
  readonly metadata: string | null;
}

const MOST_RUNS = 1000;

/** The newest runs, or one; what has not ended comes first. */
export async function runsIn(database: Postgres, run_id?: string): Promise<readonly RunStatus[]> {
  const rows = await database.query<RunRow>(
    `SELECT run, state, attempts, runs.worker, machine, submitted_at, task, error, waiting_for, result, runs.agent,
       runs.session, note, (SELECT metadata FROM tenterhook.transcripts WHERE transcripts.agent = run) AS metadata,
       (SELECT count(*) FROM tenterhook.transcript_entries WHERE transcript_entries.agent = run AND message IS NOT NULL) AS steps
     FROM tenterhook.runs LEFT JOIN tenterhook.run_attempts USING (run)
     WHERE ($1::text IS NULL OR run = $1) AND (number IS NULL OR number = attempts)
     ORDER BY ended_at IS NOT NULL, submitted_at DESC LIMIT $2`,
    [run_id ?? null, MOST_RUNS],
  );
  return rows.map(({ run, error, waiting_for, result, submitted_at, session, note, metadata, ...rest }) => ({
    run_id: run,
    ...rest,
    session_id: session ?? run,
    submitted_at: submitted_at.toISOString(),
    note: note === null ? undefined : String(parseJson(note)),
    usage: usageIn(metadata),
    error: error === null ? undefined : String(parseJson(error)),
    waiting_for: waiting_for === null ? undefined : JSON.parse(waiting_for),
    result: result === null ? undefined : JSON.parse(result),
  }));
}

function usageIn(metadata: string | null): Usage | undefined {
  const { usage } = parseRecord(metadata ?? "");
  return isRecord(usage) ? usage : undefined;
}

/** Workers that gave a sign of life in the last minute. */
export async function workersIn(database: Postgres): Promise<readonly WorkerStatus[]> {
  const rows = await database.query<
    Omit<WorkerStatus, "seen_at" | "cordoned"> & { readonly seen_at: Date; readonly cordoned: string | null }
  >(
    `SELECT worker AS id, machine, concurrency, labels, cordoned, seen_at,
       (SELECT count(*) FROM tenterhook.runs WHERE runs.worker = workers.worker AND state = 'running') AS running
     FROM tenterhook.workers WHERE seen_at > now() - interval '1 minute' ORDER BY worker`,
  );
  return rows.map(({ seen_at, cordoned, ...rest }) => ({
    ...rest,
    cordoned: cordonIn(cordoned),
    seen_at: seen_at.toISOString(),
  }));
}

/**
 * The run whose id begins with a text.
 *
 * @throws TenterhookError `unknown_run`; `ambiguous_name`.
 */
export async function findRun(database: Postgres, wanted: string): Promise<RunStatus> {
  const rows = await database.query<{ readonly run: string }>(
    // A range of the index; ids have digits and the letters from a to f.
    "SELECT run FROM tenterhook.runs WHERE run >= $1 AND run < $1 || 'g' AND starts_with(run, $1) ORDER BY run LIMIT 5",
    [wanted],
  );
  const [first, second] = rows;
  const exact = first?.run === wanted || second === undefined;
  if (wanted !== "" && first !== undefined && !exact)
    throw new TenterhookError(
      "ambiguous_name",
      `Several runs begin with ${JSON.stringify(wanted)}: ${rows.map(({ run }) => run).join(", ")}.`,
    );
  const [found] = wanted === "" || first === undefined ? [] : await runsIn(database, first.run);
  if (found !== undefined) return found;
  throw new TenterhookError("unknown_run", `No run begins with ${JSON.stringify(wanted)}.`);
}
