import { createRequire, isBuiltin } from "node:module";
import { importOptional } from "../optional-package.ts";

type Sqlite = Pick<typeof import("@photostructure/sqlite"), "DatabaseSync">;
export type DatabaseConstructor = Sqlite["DatabaseSync"];

/**
 * SQLite: Node's own where it has all that we use (22.16 and later), else the package with the same functions, which
 * npm installs with ours.
 *
 * @throws Error when the package is not there.
 */
export async function loadSqlite(): Promise<Sqlite> {
  return sqliteOfNode() ?? importOptional("@photostructure/sqlite");
}

/** True when SQLite is there. Loads nothing: some versions of Node warn when theirs is loaded. */
export function hasSqlite(): boolean {
  if (isBuiltin("node:sqlite")) return true;
  try {
    createRequire(import.meta.url).resolve("@photostructure/sqlite");
    return true;
  } catch {
    return false;
  }
}

function sqliteOfNode(): Sqlite | undefined {
  const module: unknown = process.getBuiltinModule("node:sqlite");
  return isSqlite(module) && "isTransaction" in new module.DatabaseSync(":memory:") ? module : undefined;
}

function isSqlite(module: unknown): module is Sqlite {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}
