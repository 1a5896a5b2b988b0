import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Postgres } from "../node/postgres/open-postgres.ts";

/** How long the clone of a run that may be retried, or whose patch is not whole, stays after its end. */
const KEPT = "interval '7 days'";
/** A clone that is being made, or removed. */
const UNFINISHED = /\.(?:new|gone)$/;

/**
 * Removes the clones on this machine that nobody needs: of runs that are done, once their patch is stored, and of others a week
 * after their end. Those of runs that the database does not know stay.
 *
 * @throws what the database throws; the file system's error.
 */
export async function tidyClones(database: Postgres, clones: string): Promise<void> {
  const names = readdirSync(clones, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? one.name : [],
  );
  if (names.length === 0) return;
  const rows = await database.query<{ readonly run: string }>(
    `SELECT run FROM tenterhook.runs WHERE run = ANY ($1::text[]) AND (ended_at < now() - ${KEPT}
       OR (state = 'done' AND strpos(coalesce(result, ''), '"clone":') = 0))`,
    [names.map((name) => name.replace(UNFINISHED, ""))],
  );
  const over = new Set(rows.map(({ run }) => run));
  for (const name of names) if (over.has(name.replace(UNFINISHED, ""))) removeClone(join(clones, name));
}

/** Removes a clone. What was cut off must not look like one that is whole. */
export function removeClone(folder: string): void {
  const gone = `${folder.replace(UNFINISHED, "")}.gone`;
  rmSync(gone, { recursive: true, force: true });
  if (gone === folder) return;
  renameSync(folder, gone);
  rmSync(gone, { recursive: true, force: true });
}
