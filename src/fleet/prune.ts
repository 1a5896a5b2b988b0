import type { Postgres } from "../node/postgres/open-postgres.ts";

/** Few enough that nobody waits for their locks. */
const AT_ONCE = 500;

/**
 * Deletes runs that ended so long ago, with their transcripts. It never touches one that has not ended.
 *
 * @returns how many it deleted.
 */
export async function pruneRuns(
  database: Postgres,
  olderMilliseconds: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const gone = await database.query(
      `WITH old AS (
         SELECT run FROM tenterhook.runs WHERE ended_at < now() - $1 * interval '1 ms' ORDER BY ended_at LIMIT $2
         FOR UPDATE SKIP LOCKED
       ), agents AS (
         SELECT agent FROM tenterhook.transcripts JOIN old ON session = run UNION SELECT run COLLATE "C" FROM old
       ), unclaimed AS (
         DELETE FROM tenterhook.transcript_claims USING agents WHERE transcript_claims.agent = agents.agent
       ), forgotten AS (
         DELETE FROM tenterhook.transcripts USING agents WHERE transcripts.agent = agents.agent
       )
       DELETE FROM tenterhook.runs USING old WHERE runs.run = old.run RETURNING 1`,
      [olderMilliseconds, AT_ONCE],
    );
    deleted += gone.length;
    if (gone.length < AT_ONCE) break;
  }
  return deleted;
}
