import type { OpenDatabase } from "../../node/sqlite/open-database.ts";
import { inSteps, shrink, usedBytes } from "../../node/sqlite/shrink.ts";
import { inTransaction, whenFree } from "../../node/sqlite/transaction.ts";
import type { KeptFor } from "../../shared/monitor/history.ts";
import { journalFiles } from "../files.ts";
import { isOfMachines } from "./of-machines.ts";
import { dayOfHour, hourOf } from "./tables.ts";

type Value = string | number;

/** How many records are deleted at a time. */
const STEP = 2000;

/** What has nothing to say goes first, then the rest; numbers are kept for as long as what is notable. */
export async function forgetActivity(open: OpenDatabase, folder: string, keep: KeptFor): Promise<void> {
  const { file, database, prepared } = open;
  const step = (...statements: readonly (readonly [sql: string, ...values: readonly Value[]])[]) =>
    whenFree(file, () =>
      inTransaction(database, () =>
        Math.max(...statements.map(([sql, ...values]) => Number(prepared(sql).run(...values).changes))),
      ),
    );
  const calls = (where: string, ...values: readonly Value[]) => {
    const some = `SELECT seq FROM calls WHERE ${where} ORDER BY time LIMIT ${STEP}`;
    return step(
      [`DELETE FROM bodies WHERE seq IN (${some})`, ...values],
      [`DELETE FROM calls WHERE seq IN (${some})`, ...values],
    );
  };
  const [since, notable] = [keep.since.getTime(), keep.notableSince.getTime()];
  await inSteps(() => calls("notable = 0 AND time < ?", since));
  await inSteps(() => calls("notable = 1 AND time < ?", notable));
  for (const which of [0, 1])
    await inSteps(async () => (usedBytes(database) > keep.bytes ? calls("notable = ?", which) : 0));
  const hour = hourOf(notable);
  for (const table of ["hours", "failures", "decided", "sessions", "rules", "paces"])
    await step([`DELETE FROM ${table} WHERE hour < ?`, hour]);
  await step(
    ["DELETE FROM latencies WHERE day < ?", dayOfHour(hour)],
    ["DELETE FROM damage WHERE time < ?", since],
  );
  await forgetMarks(open, folder);
  await shrink(open);
}

/** Of files that are gone. */
async function forgetMarks({ prepared, database, file }: OpenDatabase, folder: string): Promise<void> {
  const there = new Set(journalFiles(folder).map(({ identity }) => identity));
  const marks: readonly { readonly file: string }[] = prepared("SELECT file FROM marks").all();
  const gone = marks.filter(({ file }) => !there.has(file) && !isOfMachines(file));
  if (gone.length > 0)
    await whenFree(file, () =>
      inTransaction(database, () => {
        for (const mark of gone) prepared("DELETE FROM marks WHERE file = ?").run(mark.file);
      }),
    );
}
