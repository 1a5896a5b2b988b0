import type { DatabaseSyncInstance } from "tenterhook-sqlite";
import { TenterhookError } from "../../core/base/errors.ts";
import { inTransaction } from "./transaction.ts";

/** The steps from each version of a database to the next. Never change one that was released; add another. */
export type Migrations = readonly string[];

/**
 * Brings a database to the current version.
 *
 * @throws TenterhookError `store_failed` when it has a later version.
 */
export function migrate(database: DatabaseSyncInstance, file: string, steps: Migrations): void {
  inTransaction(database, () => {
    database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT");
    const known = versionOf(database);
    const version = known ?? 0;
    if (version > steps.length) throw laterVersion(file, version, steps);
    for (const step of steps.slice(version)) database.exec(step);
    if (known === undefined) database.prepare("INSERT INTO schema_version VALUES (?)").run(steps.length);
    else if (version < steps.length)
      database.prepare("UPDATE schema_version SET version = ?").run(steps.length);
  });
}

/**
 * Checks that a read-only database has the current version.
 *
 * @throws TenterhookError `store_failed` when it has another version.
 */
export function checkVersion(database: DatabaseSyncInstance, file: string, steps: Migrations): void {
  const version = versionOf(database) ?? 0;
  if (version > steps.length) throw laterVersion(file, version, steps);
  if (version < steps.length)
    throw new TenterhookError(
      "store_failed",
      `${file} has version ${version} and is read-only, so it can't be updated.`,
      {
        hint: "Open it once with write access: that updates it.",
      },
    );
}

function versionOf(database: DatabaseSyncInstance): number | undefined {
  const row: { readonly version: number } | undefined = database
    .prepare("SELECT version FROM schema_version")
    .get();
  return row?.version;
}

function laterVersion(file: string, version: number, steps: Migrations): TenterhookError {
  return new TenterhookError(
    "store_failed",
    `${file} has version ${version}; this package knows versions up to ${steps.length}.`,
    { hint: "Update the package." },
  );
}
