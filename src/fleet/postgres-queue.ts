import type { BackendFactory, PgPool, PostgresConnectionOptions, PostgresQueueBackend } from "bullmq";
import { connectionConfig, sturdyClient } from "../node/postgres/connection.ts";

const SCHEMA = "tenterhook_queue";

type Backend = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;

/**
 * BullMQ on a database, by a pool of ours. In a pool of its own BullMQ hears of a connection that breaks too late: one that
 * breaks in the moment it is made, or while it is closed, ends the process.
 *
 * @param answerMilliseconds how long it waits for an answer of the server.
 */
export function postgresBackend(
  { PostgresConnection, PostgresQueueBackend, runMigrations }: typeof import("../packages/bullmq.ts"),
  { Pool, Client }: typeof import("../packages/pg.ts"),
  url: string,
  answerMilliseconds: number,
): Backend {
  const times = { connectMilliseconds: answerMilliseconds, statementMilliseconds: answerMilliseconds };
  const newPool = () =>
    new Pool({
      ...connectionConfig(url, times),
      options: `-c search_path=${SCHEMA}`,
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
