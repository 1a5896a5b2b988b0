import { TRANSCRIPTS } from "../agent/transcripts/postgres/schema.ts";
import { neededDatabase } from "../config/shared-database.ts";
import { errorMessage } from "../core/base/error-text.ts";
import { openPostgres, type Postgres } from "../node/postgres/open-postgres.ts";
import { openQueue, type QueuedRun, REDIS_VARIABLE } from "./queue.ts";
import { FLEET } from "./schema.ts";

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
