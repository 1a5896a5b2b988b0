import { TenterhookError } from "../../../core/base/errors.ts";
import { DATABASE_VARIABLE, type DatabaseAddress } from "../../../node/postgres/address.ts";
import { sharedDatabase } from "./shared-database.ts";

/**
 * The database that machines share.
 *
 * @throws TenterhookError `invalid_option` when none is named; as {@link sharedDatabase} does.
 */
export async function neededDatabase(environment: NodeJS.ProcessEnv): Promise<DatabaseAddress> {
  const address = await sharedDatabase(environment);
  if (address !== undefined) return address;
  throw new TenterhookError("invalid_option", "No database is named.", {
    hint: `Set ${DATABASE_VARIABLE}, or monitor.database in your own file, to an address such as postgres://user@host/name.`,
  });
}
