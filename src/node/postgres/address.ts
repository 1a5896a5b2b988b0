import { TenterhookError } from "../../core/base/errors.ts";

/** Where a PostgreSQL database is. */
export interface DatabaseAddress {
  /** May have a password: never show it, log it or hand it to a child. */
  readonly url: string;
  /** The same without password and settings, for people. */
  readonly place: string;
}

/** The variable with the address of the database that several machines share. */
export const DATABASE_VARIABLE = "TENTERHOOK_DATABASE_URL";

const HINT =
  "An address reads like postgres://user@host:5432/name. The password may be in it, in PGPASSWORD or in ~/.pgpass.";

/**
 * Reads the address of a database.
 *
 * @param source where it is written, such as a variable's name.
 * @throws TenterhookError `invalid_option` for what is no such address. The message does not repeat it.
 */
export function databaseAddress(url: string, source: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new TenterhookError("invalid_option", `${source} is no address of a PostgreSQL database.`, {
      hint: HINT,
    });
  if (parsed.pathname.length < 2)
    throw new TenterhookError("invalid_option", `${source} names no database on ${parsed.host}.`, {
      hint: HINT,
    });
  const user = parsed.username === "" ? "" : `${parsed.username}@`;
  // A folder with a socket stands in place of a host.
  const host = parsed.host === "" ? (parsed.searchParams.get("host") ?? "") : parsed.host;
  return { url, place: `postgres://${user}${host}${parsed.pathname}` };
}
