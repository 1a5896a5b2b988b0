import { setTimeout as pause } from "node:timers/promises";
import type { ClientConfig, Pool as PgPool, PoolClient } from "pg";
import { backoff } from "../retry.ts";
import type { DatabaseAddress } from "./address.ts";
import { connectionConfig, sturdyClient } from "./connection.ts";
import { databaseFailure, isAway, mayPass } from "./failure.ts";
import { checkVersions, migrateParts, type Part, versionsOf } from "./migrate.ts";
import { followNews } from "./news.ts";
import type { Follower, OnNews, Queries } from "./queries.ts";

/** A PostgreSQL database, with a pool of connections to it. */
export interface Postgres extends Queries {
  /** Its address without the password. */
  readonly place: string;
  /**
   * Does all of `work` or nothing. While the server is away it waits, and begins again; so `work`, like every statement
   * outside of a transaction, must be fit to be done twice.
   */
  transaction<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result>;
  /** Hears what others tell with {@link tell}; see {@link followNews}. */
  follow(channel: string, onNews: OnNews): Follower;
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly address: DatabaseAddress;
  /** How long each call waits for a server that is away. Default 10 seconds. */
  readonly patienceMilliseconds?: number;
  /** The most connections at a time. Default 10. */
  readonly connections?: number;
  /** How long one try to connect, or one statement, may take before it counts as lost. Default 10 and 60 seconds. */
  readonly answerMilliseconds?: number;
}

const PATIENCE_MILLISECONDS = 10_000;
const CONNECTIONS = 10;

/** A network that swallows packets must not hold anybody for longer. */
const CONNECT_MILLISECONDS = 10_000;
const STATEMENT_MILLISECONDS = 60_000;

/** PostgreSQL's number for `bigint`. */
const INT8 = 20;

/**
 * Opens a database for parts of our tables, and creates those that do not exist.
 *
 * @throws TenterhookError `store_failed` when the server is away for too long or refuses us, or the tables have another version.
 */
export async function openPostgres(parts: readonly Part[], options: PostgresOptions): Promise<Postgres> {
  const database = await connect(options);
  try {
    if (!checkVersions(database.place, await versionsOf(database, parts)))
      await database.transaction((transaction) => migrateParts(transaction, database.place, parts));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A database whose tables are left as they are. Connects with the first statement. */
export async function connect({
  address: { url, place },
  patienceMilliseconds = PATIENCE_MILLISECONDS,
  connections = CONNECTIONS,
  answerMilliseconds,
}: PostgresOptions): Promise<Postgres> {
  const { Client, Pool, types } = await import("../../packages/pg.ts");
  const config: ClientConfig = {
    ...connectionConfig(url, {
      connectMilliseconds: answerMilliseconds ?? CONNECT_MILLISECONDS,
      statementMilliseconds: answerMilliseconds ?? STATEMENT_MILLISECONDS,
    }),
    types: {
      // Our numbers are all exact in JavaScript.
      getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)),
    },
  };
  const pool = new Pool({
    ...{ ...config, max: connections, allowExitOnIdle: true },
    Client: sturdyClient(Client),
  });
  // The pool forgets an idle connection that breaks; the next statement makes another.
  pool.on("error", () => {});
  const closing = new AbortController();
  const patience: Patience = { place, milliseconds: patienceMilliseconds, signal: closing.signal };
  const followers = new Set<Follower>();
  const onClient = <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    whenThere(() => withClient(pool, work), patience);
  return {
    place,
    query: (sql, values) => onClient((client) => queriesOf(client).query(sql, values)),
    transaction: (work) => onClient((client) => inTransaction(client, work)),
    follow(channel, onNews) {
      const follower = followNews(() => new Client(config), channel, onNews);
      followers.add(follower);
      return {
        close: () => {
          followers.delete(follower);
          return follower.close();
        },
      };
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await Promise.all([...followers].map((follower) => follower.close()));
      await pool.end();
    },
  };
}

async function withClient<Result>(
  pool: PgPool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  const onError = (): void => {
    broken = true;
  };
  client.on("error", onError);
  try {
    return await work(client);
  } catch (error) {
    broken ||= isAway(error);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

async function inTransaction<Result>(
  client: PoolClient,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> {
  await client.query("BEGIN");
  try {
    const result = await work(queriesOf(client));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that is gone has rolled back.
    if (!isAway(error)) await client.query("ROLLBACK");
    throw error;
  }
}

function queriesOf(client: PoolClient): Queries {
  return {
    async query(sql, values) {
      const { rows } = await client.query(sql, values === undefined ? undefined : [...values]);
      return rows;
    },
  };
}

const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 2000;

/** How long to go on trying. */
interface Patience {
  readonly place: string;
  readonly milliseconds: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Does something with a database, and does it again while the server is away or another transaction comes first.
 *
 * @param work may be done twice: when the connection breaks, nobody knows whether the last statement took effect.
 * @throws TenterhookError `store_failed` after all this time; at once when it is of no use to wait.
 */
async function whenThere<Result>(work: () => Promise<Result>, patience: Patience): Promise<Result> {
  const { place, milliseconds, signal } = patience;
  const end = performance.now() + milliseconds;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || signal.aborted || performance.now() > end) throw databaseFailure(place, error);
    }
    // Many clients come back at once after a restart.
    const most = Math.min(backoff(tries, FIRST_PAUSE_MILLISECONDS), LONGEST_PAUSE_MILLISECONDS);
    await pause(most * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}
