import { TenterhookError } from "../core/base/errors.ts";
import { nearestFolder } from "../node/files/folders.ts";
import { DATABASE_VARIABLE, type DatabaseAddress, databaseAddress } from "../node/postgres/address.ts";
import { homeFolder } from "../node/user-folders.ts";
import { loadConfigCached } from "./open.ts";
import { ConfigError } from "./parse/problem.ts";

/**
 * The database that machines share, if the user has named one.
 *
 * @throws TenterhookError `invalid_option` for what is no address of a database; ConfigError for an invalid configuration.
 */
export async function sharedDatabase(environment: NodeJS.ProcessEnv): Promise<DatabaseAddress | undefined> {
  const given = environment[DATABASE_VARIABLE] ?? "";
  if (given !== "") return databaseAddress(given, DATABASE_VARIABLE);
  const config = await loadConfigCached({ cwd: nearestFolder(homeFolder(environment)), environment });
  if (config.broken !== undefined) throw new ConfigError(config.broken.problems);
  const { database } = config.settings.monitor;
  return database === undefined ? undefined : databaseAddress(database, "monitor.database");
}

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
