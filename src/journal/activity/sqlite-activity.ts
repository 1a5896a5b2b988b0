import { join } from "node:path";
import { openDatabase } from "../../node/sqlite/open-database.ts";
import { stateFolder } from "../../node/user-folders.ts";
import type { KeptFor } from "../../shared/monitor/history.ts";
import { journalFolder } from "../files.ts";
import { readRecord, recordedId } from "../record.ts";
import type { Activity } from "./activity.ts";
import { callReader } from "./calls.ts";
import { figureReader } from "./figures.ts";
import { forgetActivity } from "./forget.ts";
import { numberReader } from "./numbers.ts";
import { recordsOfMachines } from "./of-machines.ts";
import { recordReader } from "./records.ts";
import { hourOf, MIGRATIONS, queriesIn } from "./tables.ts";
import { journalIntake } from "./take-in.ts";

/** The history of decisions in a database that journals are taken into. */
export interface ActivityStore extends Activity {
  /** Deletes what is older than `keep` allows, in small steps, and gives the room back. */
  forget(keep: KeptFor): Promise<void>;
  readonly lists: ReturnType<typeof callReader>;
  readonly figures: ReturnType<typeof figureReader>;
  readonly machines: ReturnType<typeof recordsOfMachines>;
}

/** @throws TenterhookError `store_failed`, and SQLite's errors. */
export async function sqliteActivity(environment: NodeJS.ProcessEnv): Promise<ActivityStore> {
  const folder = journalFolder(environment);
  // A file of its own: when it is damaged or full, the monitor goes on.
  const file = join(stateFolder(environment), "monitor", "activity.sqlite");
  const open = await openDatabase(file, { migrations: MIGRATIONS, isHistory: true });
  const queries = queriesIn(open);
  const { all, idOf } = queries;
  const records = recordReader(queries);
  return {
    refresh: journalIntake(open, folder),
    records,
    aboutCall: (session, toolUse) =>
      all<{ json: string }>(
        `SELECT json FROM calls INDEXED BY calls_by_tool_use JOIN bodies USING (seq)
         WHERE tool_use = ? AND session = ? ORDER BY time, seq`,
        toolUse,
        idOf(recordedId(session)),
      ).flatMap(({ json }) => readRecord(json) ?? []),
    stats: numberReader(queries, records),
    sessions: (since) =>
      all<{ name: string }>(
        "SELECT DISTINCT name FROM sessions JOIN names ON id = session WHERE hour >= ?",
        hourOf(since.getTime()),
      ).map(({ name }) => name),
    damage: (since) =>
      all<{ file: string; line: number }>(
        "SELECT file, line FROM damage WHERE time >= ? ORDER BY file, line",
        since.getTime(),
      ).map((row) => ({ ...row })),
    lists: callReader(queries),
    figures: figureReader(queries),
    machines: recordsOfMachines(open),
    forget: (keep) => forgetActivity(open, folder, keep),
    close: () => open.close(),
  };
}
