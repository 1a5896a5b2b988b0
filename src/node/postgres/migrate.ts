import { TenterhookError } from "../../core/base/errors.ts";
import type { Queries } from "./queries.ts";

/**
 * Tables that change together, such as those of transcripts. Their names begin with the schema: `tenterhook.agents`.
 * Several parts share one database, and each has its own version.
 */
export interface Part {
  readonly name: string;
  /** The steps from each version to the next. Never change one that was released; add another. */
  readonly migrations: readonly string[];
}

/** The version a part has in a database, and the one that this package knows. */
export interface PartVersion {
  readonly part: string;
  /** 0 when its tables do not exist. */
  readonly version: number;
  readonly known: number;
}

/** Whoever migrates holds this lock until the end of the transaction: "tent" in ASCII. */
const LOCK = 0x74_65_6e_74;

/** The versions of parts, without changing anything. */
export async function versionsOf(database: Queries, parts: readonly Part[]): Promise<readonly PartVersion[]> {
  // to_regclass would not see a table that was made while this transaction waited for the lock.
  const [table] = await database.query(
    "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'tenterhook' AND tablename = 'schema_versions'",
  );
  const rows =
    table === undefined
      ? []
      : await database.query<{ readonly part: string; readonly version: number }>(
          "SELECT part, version FROM tenterhook.schema_versions",
        );
  return parts.map(({ name, migrations }) => ({
    part: name,
    version: rows.find(({ part }) => part === name)?.version ?? 0,
    known: migrations.length,
  }));
}

/**
 * Brings parts to the versions that this package knows, all or none. Of several processes one does it, and the others wait.
 *
 * @returns the versions before.
 * @throws TenterhookError `store_failed` when one has a later version.
 */
export async function migrateParts(
  transaction: Queries,
  place: string,
  parts: readonly Part[],
): Promise<readonly PartVersion[]> {
  await transaction.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  const before = await versionsOf(transaction, parts);
  refuseLater(place, before);
  for (const [index, { name, migrations }] of parts.entries()) {
    const { version = 0 } = before[index] ?? {};
    if (version === migrations.length) continue;
    await transaction.query("CREATE SCHEMA IF NOT EXISTS tenterhook");
    await transaction.query(
      "CREATE TABLE IF NOT EXISTS tenterhook.schema_versions (part text PRIMARY KEY, version integer NOT NULL)",
    );
    for (const step of migrations.slice(version)) await transaction.query(step);
    await transaction.query(
      `INSERT INTO tenterhook.schema_versions VALUES ($1, $2)
       ON CONFLICT (part) DO UPDATE SET version = excluded.version`,
      [name, migrations.length],
    );
  }
  return before;
}

/**
 * Checks that parts can be used as they are.
 *
 * @returns whether all of them exist.
 * @throws TenterhookError `store_failed` when one has another version: an update must not lock out other machines unasked.
 */
export function checkVersions(place: string, versions: readonly PartVersion[]): boolean {
  refuseLater(place, versions);
  const old = versions.find(({ version, known }) => version > 0 && version < known);
  if (old !== undefined)
    throw new TenterhookError(
      "store_failed",
      `${place} has version ${old.version} of ${old.part}; this package needs version ${old.known}.`,
      { hint: "Update Tenterhook on every machine, then run tenterhook fleet database migrate once." },
    );
  return versions.every(({ version }) => version > 0);
}

function refuseLater(place: string, versions: readonly PartVersion[]): void {
  const later = versions.find(({ version, known }) => version > known);
  if (later !== undefined)
    throw new TenterhookError(
      "store_failed",
      `${place} has version ${later.version} of ${later.part}; this package knows versions up to ${later.known}.`,
      { hint: "Update Tenterhook on this machine." },
    );
}
