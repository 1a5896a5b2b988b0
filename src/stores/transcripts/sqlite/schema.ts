import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { TenterhookError } from "../../../core/base/errors.ts";
import { inTransaction } from "./transaction.ts";

/** The steps from each version to the next. Never change one that was released; add another. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE agents (
     agent TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT, status TEXT NOT NULL, cwd TEXT, title TEXT NOT NULL,
     created TEXT NOT NULL, updated TEXT NOT NULL, metadata TEXT NOT NULL
   ) STRICT;
   CREATE INDEX agents_by_creation ON agents (created, agent);
   CREATE INDEX agents_by_session ON agents (session);
   CREATE INDEX agents_by_parent ON agents (parent);
   CREATE TABLE entries (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, message TEXT, json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX entries_by_agent ON entries (agent, seq);
   CREATE UNIQUE INDEX entries_by_message ON entries (agent, message) WHERE message IS NOT NULL;
   CREATE TABLE inputs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, cwd TEXT, input TEXT NOT NULL
   ) STRICT;`,
  "CREATE TABLE claims (agent TEXT PRIMARY KEY, claim TEXT NOT NULL) STRICT;",
];

/**
 * Brings a database to the current version.
 *
 * @throws TenterhookError `store_failed` when it has a later version.
 */
export function migrate(database: DatabaseSyncInstance, file: string): void {
  inTransaction(database, () => {
    database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT");
    const known = versionOf(database);
    const version = known ?? 0;
    if (version > MIGRATIONS.length) throw laterVersion(file, version);
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    if (known === undefined) database.prepare("INSERT INTO schema_version VALUES (?)").run(MIGRATIONS.length);
    else if (version < MIGRATIONS.length)
      database.prepare("UPDATE schema_version SET version = ?").run(MIGRATIONS.length);
  });
}

/**
 * Checks that a read-only database has the current version.
 *
 * @throws TenterhookError `store_failed` when it has another version.
 */
export function checkVersion(database: DatabaseSyncInstance, file: string): void {
  const version = versionOf(database) ?? 0;
  if (version > MIGRATIONS.length) throw laterVersion(file, version);
  if (version < MIGRATIONS.length)
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

function laterVersion(file: string, version: number): TenterhookError {
  return new TenterhookError(
    "store_failed",
    `${file} has version ${version}; this package knows versions up to ${MIGRATIONS.length}.`,
    { hint: "Update the package." },
  );
}
