import { expect, onTestFinished } from "vitest";
import { isTenterhookError } from "../../../../src/core/base/errors.ts";
import { databaseAddress } from "../../../../src/node/postgres/address.ts";
import type { Part } from "../../../../src/node/postgres/migrate.ts";
import {
  openPostgres,
  type Postgres,
  type PostgresOptions,
} from "../../../../src/node/postgres/open-postgres.ts";

export const ONE = "CREATE TABLE tenterhook.things (id integer PRIMARY KEY, name text NOT NULL)";
export const things = (...migrations: readonly string[]): Part => ({ name: "things", migrations });

export async function open(
  url: string,
  parts: readonly Part[] = [things(ONE)],
  options: Omit<PostgresOptions, "address"> = {},
): Promise<Postgres> {
  const database = await openPostgres(parts, { ...options, address: databaseAddress(url, "url") });
  onTestFinished(() => database.close());
  return database;
}

/** Reads the code, the message and the hint of what is thrown, all of which people may see: nowhere in it is the password. */
export function failureWithout(password: string) {
  return async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!isTenterhookError(error)) throw new Error(`No error of ours: ${String(error)}`);
    for (let seen: unknown = error; seen instanceof Error; seen = seen.cause)
      expect(`${seen.stack} ${JSON.stringify(seen)}`).not.toContain(password);
    return `${error.code}: ${error.message} ${error.hint}`;
  };
}
