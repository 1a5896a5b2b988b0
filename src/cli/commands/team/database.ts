import { TRANSCRIPTS } from "../../../agent/transcripts/postgres/schema.ts";
import { neededDatabase } from "../../../config/shared-database.ts";
import { FLEET } from "../../../fleet/open-fleet.ts";
import { MONITOR } from "../../../monitor/team/postgres/schema.ts";
import { migrateParts, type Part, type PartVersion, versionsOf } from "../../../node/postgres/migrate.ts";
import { connect, type Postgres } from "../../../node/postgres/open-postgres.ts";
import type { CommandRun, Invocation } from "../../command-line/command.ts";
import type { Report } from "../../command-line/screen/report.ts";

export const run: CommandRun = (invocation) => withDatabase(invocation, status);

export const migrate: CommandRun = (invocation) => withDatabase(invocation, bringUpToDate);

async function withDatabase(
  { environment }: Invocation,
  work: (database: Postgres) => Promise<Report>,
): Promise<Report> {
  const database = await connect({ address: await neededDatabase(environment) });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Ends with 1 when tables are missing or have another version. */
async function status(database: Postgres): Promise<Report> {
  const [server] = await database.query<{ readonly version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const parts = await versionsOf(database, PARTS);
  const current = parts.every(({ version, known }) => version === known);
  return {
    json: { database: database.place, server: server?.version, current, parts },
    blocks: [
      `${database.place}, PostgreSQL ${server?.version}`,
      parts.map((part) => `  ${partText(part)}`),
      !current && "tenterhook fleet database migrate brings tables up to date.",
    ],
    code: current ? 0 : 1,
  };
}

async function bringUpToDate(database: Postgres): Promise<Report> {
  const before = await database.transaction((transaction) =>
    migrateParts(transaction, database.place, PARTS),
  );
  const changed = before.filter(({ version, known }) => version !== known);
  return {
    json: {
      database: database.place,
      migrated: changed.map(({ part, version, known }) => ({ part, from: version, to: known })),
    },
    blocks: [
      changed.map(({ part, version, known }) =>
        version === 0 ? `${part}: created, version ${known}` : `${part}: from version ${version} to ${known}`,
      ),
      changed.length === 0 ? `${database.place} is up to date.` : `${database.place} is up to date now.`,
    ],
  };
}

function partText({ part, version, known }: PartVersion): string {
  if (version === 0) return `${part}: not created yet`;
  if (version === known) return `${part}: version ${version}`;
  return version > known
    ? `${part}: version ${version}, later than this Tenterhook knows (${known})`
    : `${part}: version ${version}; this Tenterhook needs ${known}`;
}

/** Every part of our tables in a database that machines share, in the order in which they are created. */
export const PARTS: readonly Part[] = [TRANSCRIPTS, FLEET, MONITOR];
