import { createRequire, isBuiltin } from "node:module";
import { importOptional } from "../optional-package.ts";

type Sqlite = Pick<typeof import("tenterhook-sqlite"), "DatabaseSync">;
export type DatabaseConstructor = Sqlite["DatabaseSync"];

/**
 * SQLite: Node's own where it has all that we use, else the package with the same functions, which npm installs with ours.
 *
 * @throws Error when the package is not there.
 */
export async function loadSqlite(): Promise<Sqlite> {
  if (!isInNode()) return importOptional("tenterhook-sqlite");
  const module: unknown = process.getBuiltinModule("node:sqlite");
  if (!isSqlite(module)) throw new Error("node:sqlite has no DatabaseSync.");
  return module;
}

/** True when SQLite is there. Loads nothing: some versions of Node warn when theirs is loaded. */
export function hasSqlite(): boolean {
  if (isInNode()) return true;
  try {
    createRequire(import.meta.url).resolve("tenterhook-sqlite");
    return true;
  } catch {
    return false;
  }
}

function isInNode(): boolean {
  return isBuiltin("node:sqlite") && isWhole(process.versions.node);
}

/** True for a version of Node whose SQLite has `isTransaction`, `timeout` and addresses of files: 22.16 and later, without 23. */
export function isWhole(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 23 || (major === 22 && minor >= 16);
}

function isSqlite(module: unknown): module is Sqlite {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}
