import { TRANSCRIPTS } from "../agent/transcripts/postgres/schema.ts";
import { neededDatabase } from "../config/shared-database.ts";
import { errorMessage } from "../core/base/error-text.ts";
import type { Part } from "../node/postgres/migrate.ts";
import { openPostgres, type Postgres } from "../node/postgres/open-postgres.ts";
import { openQueue, type QueuedRun, REDIS_VARIABLE } from "./queue.ts";

export async function withRuns<Result>(
  environment: NodeJS.ProcessEnv,
  work: (database: Postgres) => Promise<Result>,
): Promise<Result> {
  const address = await neededDatabase(environment);
  const database = await openPostgres([TRANSCRIPTS, FLEET], { address });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Puts a run into the queue. It is in the tables already: when this fails, a worker finds it there a little later. */
export async function enqueue(
  environment: NodeJS.ProcessEnv,
  run: QueuedRun,
  report: (text: string) => void,
): Promise<void> {
  try {
    const queue = await openQueue(await neededDatabase(environment), environment[REDIS_VARIABLE]);
    try {
      await queue.add(run);
    } finally {
      await queue.close();
    }
  } catch (error) {
    report(`The queue did not take it; a worker finds it in the database. ${errorMessage(error)}`);
  }
}

/**
 * The tables of runs. They are the truth; the queue only says who looks next. `fence` changes whenever a run changes
 * hands, and a worker with an old one can change nothing.
 */
export const FLEET: Part = {
  name: "fleet",
  migrations: [
    `CREATE TABLE tenterhook.runs (
       run text PRIMARY KEY, key text NOT NULL UNIQUE, task text NOT NULL, model text, cwd text, repo text, ref text,
       priority integer NOT NULL, state text NOT NULL, fence bigint NOT NULL DEFAULT 0, attempts integer NOT NULL DEFAULT 0,
       tries integer NOT NULL DEFAULT 0, messages_before bigint NOT NULL DEFAULT 0, worker text, lease_until timestamptz,
       due timestamptz NOT NULL DEFAULT now(), queued_at timestamptz NOT NULL DEFAULT now(),
       submitted_at timestamptz NOT NULL DEFAULT now(), ended_at timestamptz,
       error text, result text, waiting_for text, answer text, agent text NOT NULL DEFAULT 'own', session text,
       session_machine text, note text, answered text, needs text[] NOT NULL DEFAULT '{}'
     );
     CREATE INDEX ON tenterhook.runs (lease_until) WHERE state = 'running';
     CREATE INDEX ON tenterhook.runs (queued_at) WHERE state = 'queued';
     CREATE INDEX ON tenterhook.runs ((ended_at IS NOT NULL), submitted_at DESC);
     CREATE INDEX ON tenterhook.runs (ended_at) WHERE ended_at IS NOT NULL;
     CREATE TABLE tenterhook.run_attempts (
       run text NOT NULL REFERENCES tenterhook.runs ON DELETE CASCADE, number integer NOT NULL,
       worker text NOT NULL, machine text NOT NULL, machine_id text NOT NULL, started_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (run, number)
     );
     CREATE TABLE tenterhook.workers (
       worker text PRIMARY KEY, machine text NOT NULL, pid integer NOT NULL, concurrency integer NOT NULL,
       labels text[] NOT NULL DEFAULT '{}', cordoned text, seen_at timestamptz NOT NULL DEFAULT now()
     );`,
  ],
};
