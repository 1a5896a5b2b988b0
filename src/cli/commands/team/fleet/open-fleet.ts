import { TRANSCRIPTS } from "../../../../agent/transcripts/postgres/schema.ts";
import { openQueue, type QueuedRun, REDIS_VARIABLE } from "../../../../fleet/queue.ts";
import { FLEET } from "../../../../fleet/schema.ts";
import { openPostgres, type Postgres } from "../../../../node/postgres/open-postgres.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { neededDatabase } from "../shared-database.ts";

/** Does something with the tables of runs. */
export async function withRuns<Result>(
  { environment }: Invocation,
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
export async function enqueue({ environment, screen }: Invocation, run: QueuedRun): Promise<void> {
  try {
    const queue = await openQueue(await neededDatabase(environment), environment[REDIS_VARIABLE]);
    try {
      await queue.add(run);
    } finally {
      await queue.close();
    }
  } catch (error) {
    screen.tell(`The queue did not take it; a worker finds it in the database. ${String(error)}`);
  }
}
