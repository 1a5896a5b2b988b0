import type { ClientConfig } from "pg";
import { pgpassFor } from "../pgpass.ts";
import { isAway } from "./failure.ts";

/** A connection on which nothing happens shows after this time, and ten seconds more, whether it still leads anywhere. */
const KEEP_ALIVE_MILLISECONDS = 10_000;
/** A process that is stopped in a transaction loses its locks after this time. */
const IDLE_IN_TRANSACTION_MILLISECONDS = 5000;

/** How long one try to connect, and one statement, may take before the connection counts as lost. */
export interface AnswerTimes {
  readonly connectMilliseconds: number;
  readonly statementMilliseconds: number;
}

/** What every connection of ours has in common. */
export function connectionConfig(
  url: string,
  { connectMilliseconds, statementMilliseconds }: AnswerTimes,
): ClientConfig {
  const parsed = new URL(url);
  const { PGPASSWORD = "" } = process.env;
  // `pg` warns that it will stop reading this file.
  const password = parsed.password === "" && PGPASSWORD === "" ? pgpassFor(parsed, process.env) : undefined;
  // It treats these as verify-full, and warns that it will stop that, too.
  if (/^(?:prefer|require|verify-ca)$/.test(parsed.searchParams.get("sslmode") ?? ""))
    parsed.searchParams.set("sslmode", "verify-full");
  if (password !== undefined) parsed.password = encodeURIComponent(password);
  return {
    connectionString: parsed.href,
    application_name: "tenterhook",
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: statementMilliseconds,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MILLISECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
  };
}

/**
 * Connections of a pool that may break or go silent at any moment. `pg` tells of one that breaks with an event that ends
 * the process when nobody listens, and nobody does between the moment a pool hands a connection out and the moment its user
 * has it. One on which a statement got no answer in time breaks: `pg` would have the next statement wait behind that one.
 */
export function sturdyClient(Client: typeof import("pg").Client): typeof Client {
  return class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      this.on("error", () => {});
      this.query = onFailure(this.query, (error) => {
        if (isAway(error)) this.connection.stream.destroy();
      });
    }
  };
}

/** The same function; also calls back with each rejection. */
function onFailure<Call extends (...args: never[]) => unknown>(
  call: Call,
  hear: (error: unknown) => void,
): Call {
  return new Proxy(call, {
    apply(target, self, args) {
      const result: unknown = Reflect.apply(target, self, args);
      if (result instanceof Promise) result.catch(hear);
      return result;
    },
  });
}
