import { randomUUID } from "node:crypto";
import type { TranscriptStore } from "../../../core/contracts/transcript.ts";
import { databaseAddress } from "../../../node/postgres/address.ts";
import { openPostgres, type Postgres } from "../../../node/postgres/open-postgres.ts";
import type { Queries } from "../../../node/postgres/queries.ts";
import type { Backend } from "../backend.ts";
import {
  type EntryRow,
  keyOf,
  type ListDialect,
  listSql,
  readClaim,
  readMessages,
  readMetadata,
  readSteps,
} from "../sql.ts";
import { Store, type StoreOptions } from "../store.ts";
import { HeldClaims } from "./held-claims.ts";
import { TRANSCRIPTS } from "./schema.ts";
import { NOTHING_KNOWN, transcriptWriter, writeTranscript } from "./writer.ts";

/** Where the database of transcripts is. */
export interface PostgresStoreOptions extends StoreOptions {
  /** `postgres://user@host:5432/name`. The password may be in it, in PGPASSWORD or in ~/.pgpass. */
  readonly url: string;
}

/**
 * A store in a PostgreSQL database, which several machines can share. The first read or write loads the package `pg`,
 * connects, and creates the tables if they do not exist. Each call waits ten seconds for a server that is away. A process
 * that has lost its claim on an agent writes nothing more for it: `agent_changed`.
 *
 * @throws TenterhookError `invalid_option` for what is no address of a database.
 */
export function postgresStore(options: PostgresStoreOptions): TranscriptStore {
  const address = databaseAddress(options.url, "The url of postgresStore");
  let opening: Promise<Postgres> | undefined;
  const opened = async (): Promise<Postgres> => {
    opening ??= openPostgres([TRANSCRIPTS], { address });
    return opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
  };
  const close = async (): Promise<void> => (await opening?.catch(() => undefined))?.close();
  return new Store(postgresBackend(address.place, opened, close), options);
}

/** A store in a database that is open, has the part {@link TRANSCRIPTS}, and stays open when the store is closed. */
export function transcriptsIn(database: Postgres, options?: StoreOptions): TranscriptStore {
  return new Store(
    postgresBackend(
      database.place,
      async () => database,
      async () => {},
    ),
    options,
  );
}

function postgresBackend(
  place: string,
  opened: () => Promise<Postgres>,
  close: () => Promise<void>,
): Backend {
  const claims = new HeldClaims();
  const { write, change, settled } = transcriptWriter(opened, claims);
  const placeOf = (agent_id: string) => (seq: number) => `${place}, entry ${seq} of agent "${agent_id}",`;
  return {
    place,
    append: (id, json, owner, time) => write({ message: id, json }, owner, time),
    record: (json, owner, time) => write({ json }, owner, time),
    save: change,
    async load(agent_id, options) {
      const database = await opened();
      const [row] = await database.query<{ readonly metadata: string; readonly claim: string | null }>(
        `SELECT metadata, claim FROM tenterhook.transcripts LEFT JOIN tenterhook.transcript_claims USING (agent)
         WHERE agent = $1`,
        [keyOf(agent_id)],
      );
      const metadata = readMetadata(row?.metadata);
      if (metadata === undefined) return undefined;
      const claim = readClaim(row?.claim);
      const rows = await entriesOf(database, agent_id, "AND message IS NOT NULL");
      const messages = readMessages(rows, placeOf(agent_id), options);
      return { metadata, messages, claim };
    },
    activity: async (agent_id, options) =>
      readSteps(await entriesOf(await opened(), agent_id, ""), placeOf(agent_id), options),
    async list(query) {
      const { text, values } = listSql(query, DIALECT);
      const rows = await (await opened()).query<{ readonly metadata: string }>(text, values);
      return rows.flatMap(({ metadata }) => readMetadata(metadata) ?? []);
    },
    async delete(agent_id) {
      const database = await opened();
      claims.forget(agent_id);
      const gone = await database.query(
        `WITH RECURSIVE below (agent) AS (
           SELECT agent FROM tenterhook.transcripts WHERE agent = $1
           UNION SELECT child.agent FROM tenterhook.transcripts child JOIN below ON child.parent = below.agent
         ), unclaimed AS (
           DELETE FROM tenterhook.transcript_claims USING below WHERE transcript_claims.agent = below.agent
         )
         DELETE FROM tenterhook.transcripts USING below WHERE transcripts.agent = below.agent RETURNING 1`,
        [keyOf(agent_id)],
      );
      return gone.length > 0;
    },
    async create(metadata, messages) {
      const database = await opened();
      const keys = messages.map(({ id }) => keyOf(id));
      const jsons = messages.map((one) => JSON.stringify(one));
      const values = [NOTHING_KNOWN, [], [], keys, jsons] as const;
      return (await writeTranscript(database, randomUUID(), metadata, values)) === "written";
    },
    lastClaim: async (agent_id) => readClaim(await claimOf(await opened(), agent_id)),
    async putClaim(claim, { agent_id }, before) {
      const database = await opened();
      const json = JSON.stringify(claim);
      const values = [keyOf(agent_id), claim.id, json];
      // A retry may find its own write.
      const put =
        before === undefined
          ? await database.query(
              `INSERT INTO tenterhook.transcript_claims (agent, id, claim) VALUES ($1, $2, $3)
               ON CONFLICT (agent) DO UPDATE SET claim = excluded.claim WHERE transcript_claims.id = excluded.id RETURNING 1`,
              values,
            )
          : await database.query(
              `UPDATE tenterhook.transcript_claims SET id = $2, claim = $3 WHERE agent = $1 AND id IN ($2, $4) RETURNING 1`,
              [...values, before],
            );
      if (put.length > 0) claims.hold(agent_id, claim.id, json);
      return put.length > 0;
    },
    async changeClaim(id, change, { agent_id }) {
      const database = await opened();
      let { claim: stored = await claimOf(database, agent_id) } = claims.last(agent_id);
      for (;;) {
        const claim = readClaim(stored);
        if (stored === undefined || claim?.id !== id) return false;
        const json = JSON.stringify({ ...claim, ...change });
        // A retry may find its own write.
        const changed = await database.query(
          "UPDATE tenterhook.transcript_claims SET claim = $3 WHERE agent = $1 AND claim IN ($2, $3) RETURNING 1",
          [keyOf(agent_id), stored, json],
        );
        if (changed.length > 0) {
          if ("released" in change) claims.release(agent_id, id);
          else claims.remember(agent_id, { claim: json });
          return true;
        }
        stored = await claimOf(database, agent_id);
      }
    },
    location: () => undefined,
    async close() {
      await settled();
      await close();
    },
  };
}

const DIALECT: ListDialect = {
  table: "tenterhook.transcripts",
  mark: (number) => `$${number}`,
  items: (list) => `SELECT json_array_elements_text(${list}::json)`,
  find: "strpos",
};

function entriesOf(
  { query }: Queries,
  agent_id: string,
  condition: "" | "AND message IS NOT NULL",
): Promise<readonly EntryRow[]> {
  return query<EntryRow>(
    `SELECT seq, message, json FROM tenterhook.transcript_entries WHERE agent = $1 ${condition} ORDER BY seq`,
    [keyOf(agent_id)],
  );
}

async function claimOf({ query }: Queries, agent_id: string): Promise<string | undefined> {
  const [row] = await query<{ readonly claim: string }>(
    "SELECT claim FROM tenterhook.transcript_claims WHERE agent = $1",
    [keyOf(agent_id)],
  );
  return row?.claim;
}
