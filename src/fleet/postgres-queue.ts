import type { BackendFactory, PgPool, PostgresConnectionOptions, PostgresQueueBackend } from "bullmq";
import { sturdyClient } from "../node/postgres/sturdy-client.ts";

const SCHEMA = "tenterhook_queue";
const KEEP_ALIVE_MILLISECONDS = 10_000;

type Backend = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;

/**
 * BullMQ on a database, by a pool of ours. In a pool of its own BullMQ hears of a connection that breaks too late: one that
 * breaks in the moment it is made, or while it is closed, ends the process.
 *
 * @param answerMilliseconds how long it waits for an answer of the server.
 */
export function postgresBackend(
  { PostgresConnection, PostgresQueueBackend, runMigrations }: typeof import("bullmq"),
  { Pool, Client }: typeof import("pg"),
  url: string,
  answerMilliseconds: number,
): Backend {
  const newPool = () =>
    new Pool({
      ...{ connectionString: url, application_name: "tenterhook", options: `-c search_path=${SCHEMA}` },
      ...{ connectionTimeoutMillis: answerMilliseconds, query_timeout: answerMilliseconds },
      ...{ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS },
      Client: sturdyClient(Client),
    });

  class QueueConnection extends PostgresConnection {
    override readonly schema = SCHEMA;
    #ready: Promise<void> | undefined;
    #closed: Promise<void> | undefined;

    constructor() {
      super(newPool() as PgPool);
    }

    override waitUntilReady(): Promise<void> {
      this.#ready ??= this.#migrate().then(() => super.waitUntilReady());
      return this.#ready;
    }

    override close(): Promise<void> {
      this.#closed ??= super.close().then(() => this.pool.end());
      return this.#closed;
    }

    async #migrate(): Promise<void> {
      const client = await this.pool.connect();
      try {
        await runMigrations(client, SCHEMA);
      } finally {
        client.release();
      }
    }
  }

  return (name, options, { withBlockingConnection = false } = {}) => {
    // The name of the connection shows BullMQ's own tools where its workers are.
    const listener = withBlockingConnection ? name : undefined;
    return new PostgresQueueBackend(new QueueConnection(), name, options, true, listener);
  };
}
