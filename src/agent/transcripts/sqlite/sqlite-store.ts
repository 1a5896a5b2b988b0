import { resolve } from "node:path";
import type { TranscriptStore } from "../../../core/contracts/transcript.ts";
import { type OpenDatabase, openDatabase } from "../../../node/sqlite/open-database.ts";
import { groupCommit } from "../../../node/sqlite/transaction.ts";
import type { Backend } from "../backend.ts";
import { changedMetadata } from "../records.ts";
import { type ListDialect, listSql, readMessages, readMetadata, readSteps } from "../sql.ts";
import { Store, type StoreOptions } from "../store.ts";
import {
  addEntry,
  agentRow,
  beginAgent,
  claimRow,
  entriesOf,
  putAgent,
  putClaimRow,
  removeAgents,
} from "./rows.ts";

/** Where the database of transcripts is. */
export interface SqliteStoreOptions extends StoreOptions {
  /** Created, for this user alone, when it does not exist. */
  readonly file: string;
  /** How large the file may grow. When it is full, every `append` rejects. */
  readonly maxBytes?: number;
}

/**
 * A store in a SQLite database, which several processes can share. The first read or write loads the SQLite package and
 * opens the database.
 */
export function sqliteStore(options: SqliteStoreOptions): TranscriptStore {
  return new Store(sqliteBackend(resolve(options.file), options.maxBytes), options);
}

function sqliteBackend(file: string, mostBytes: number | undefined): Backend {
  let opening: Promise<OpenDatabase> | undefined;
  let present: OpenDatabase | undefined;
  const closeDatabase = (): void => {
    present?.close();
    present = undefined;
    opening = undefined;
  };
  const open = async (): Promise<OpenDatabase> => {
    try {
      present = await openDatabase(file, { migrations: MIGRATIONS, mostBytes });
      return present;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  const opened = async (): Promise<OpenDatabase> => {
    if (present?.isThere() === false) closeDatabase();
    opening ??= open();
    return opening;
  };
  const placeOf = (seq: number): string => `${file}, row ${seq} of entries,`;
  const { write, settled } = groupCommit(opened);
  const writeIf = async (work: (database: OpenDatabase) => boolean): Promise<boolean> => {
    let done = false;
    await write((database) => {
      done = work(database);
    });
    return done;
  };
  return {
    place: file,
    append: (id, json, owner, time) =>
      write((database) => {
        beginAgent(database, owner, time);
        addEntry(database, owner.agent_id, id, json);
      }),
    record: (json, owner, time) =>
      write((database) => {
        beginAgent(database, owner, time);
        addEntry(database, owner.agent_id, undefined, json);
      }),
    save: (changes, owner, time) =>
      write((database) => {
        beginAgent(database, owner, time);
        const before = agentRow(database, owner.agent_id);
        if (before !== undefined) putAgent(database, changedMetadata(before, changes, time));
      }),
    async load(agent_id, options) {
      const database = await opened();
      const metadata = agentRow(database, agent_id);
      if (metadata === undefined) return undefined;
      const claim = claimRow(database, agent_id);
      const rows = entriesOf(database, agent_id, "AND message IS NOT NULL");
      const messages = readMessages(rows, placeOf, options);
      return { metadata, messages, claim };
    },
    activity: async (agent_id, options) =>
      readSteps(entriesOf(await opened(), agent_id, ""), placeOf, options),
    async list(query) {
      const { text, values } = listSql(query, DIALECT);
      const { prepared } = await opened();
      const rows: readonly { readonly metadata: string }[] = prepared(text).all(...values);
      return rows.flatMap(({ metadata }) => readMetadata(metadata) ?? []);
    },
    delete: (agent_id) => writeIf((database) => removeAgents(database, agent_id)),
    create: (metadata, messages) =>
      writeIf((database) => {
        if (agentRow(database, metadata.agent_id) !== undefined) return false;
        putAgent(database, metadata);
        for (const message of messages)
          addEntry(database, metadata.agent_id, message.id, JSON.stringify(message));
        return true;
      }),
    lastClaim: async (agent_id) => claimRow(await opened(), agent_id),
    putClaim: (claim, { agent_id }, before) =>
      writeIf((database) => {
        if (claimRow(database, agent_id)?.id !== before) return false;
        putClaimRow(database, claim);
        return true;
      }),
    changeClaim: (id, change, { agent_id }) =>
      writeIf((database) => {
        const last = claimRow(database, agent_id);
        if (last?.id !== id) return false;
        putClaimRow(database, { ...last, ...change });
        return true;
      }),
    location: () => file,
    async close() {
      await settled();
      await opening?.catch(() => {});
      closeDatabase();
    },
  };
}

const DIALECT: ListDialect = {
  table: "agents",
  mark: () => "?",
  items: (list) => `SELECT value FROM json_each(${list})`,
  find: "instr",
};

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
   CREATE TABLE claims (agent TEXT PRIMARY KEY, claim TEXT NOT NULL) STRICT;`,
];
