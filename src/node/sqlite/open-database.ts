import { closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { DatabaseSyncInstance } from "tenterhook-sqlite";
import { TenterhookError } from "../../core/base/errors.ts";
import { makeFolders } from "../files/folders.ts";
import { installHint } from "../optional-package.ts";
import { systemCode } from "../system-code.ts";
import { type DatabaseConstructor, loadSqlite } from "./load-sqlite.ts";
import { checkVersion, type Migrations, migrate } from "./migrate.ts";
import { BUSY_MILLISECONDS, whenFree } from "./transaction.ts";

/** A database and its prepared statements. */
export interface OpenDatabase {
  readonly file: string;
  readonly database: DatabaseSyncInstance;
  readonly prepared: (sql: string) => ReturnType<DatabaseSyncInstance["prepare"]>;
  /** False once the file was deleted or replaced: what is written then is lost. */
  readonly isThere: () => boolean;
  readonly close: () => void;
}

export interface DatabaseOptions {
  readonly migrations: Migrations;
  /** How large the file may grow. */
  readonly mostBytes?: number | undefined;
  /** True when its last changes may be lost with the power: they can be made again. */
  readonly isHistory?: boolean;
}

/**
 * Opens a database; creates it, for this user alone, when it does not exist. A file without write access is
 * opened read-only.
 *
 * @throws TenterhookError `store_failed` when the package for SQLite is not installed, or a later version wrote the file.
 */
export async function openDatabase(file: string, options: DatabaseOptions): Promise<OpenDatabase> {
  const { DatabaseSync } = await loadSqlite().catch((cause: unknown) => {
    throw new TenterhookError("store_failed", `${file} can't be opened: SQLite is not installed.`, {
      hint: `${installHint("tenterhook-sqlite")} (x64 and arm64 only), or use jsonlStore.`,
      cause,
    });
  });
  const database = canWrite(file)
    ? await whenFree(file, () => openToWrite(DatabaseSync, file, options))
    : openToRead(DatabaseSync, file, options);
  const statements = new Map<string, ReturnType<DatabaseSyncInstance["prepare"]>>();
  const identity = identityOf(file);
  return {
    file,
    database,
    prepared(sql) {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    isThere: () => identityOf(file) === identity,
    close() {
      try {
        // Moves the log into the database, where read-only processes find it.
        database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // Another process is writing and will do it, or nothing can be written.
      }
      // Only the garbage collector finalises statements, and the files stay open until then.
      statements.clear();
      database.close();
    },
  };
}

/** Identifies the file that has a name. While it is open, its identity is not given to another file. */
function identityOf(file: string): string | undefined {
  const status = statSync(file, { throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}-${status.ino}`;
}

/** Creates the file when it does not exist. False when it exists and is read-only. */
function canWrite(file: string): boolean {
  try {
    makeFolders(dirname(file));
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
    return true;
  } catch (error) {
    const code = systemCode(error);
    if ((code === "EROFS" || code === "EACCES" || code === "EPERM") && existsSync(file)) return false;
    throw error;
  }
}

function openToWrite(
  DatabaseSync: DatabaseConstructor,
  file: string,
  { migrations, mostBytes, isHistory = false }: DatabaseOptions,
): DatabaseSyncInstance {
  return checked(new DatabaseSync(file, { timeout: 0 }), (database) => {
    // Only an empty database takes the first.
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    database.exec(
      isHistory
        ? "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 4000"
        : "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    );
    if (mostBytes !== undefined) limitSize(database, mostBytes);
    migrate(database, file, migrations);
  });
}

function openToRead(
  DatabaseSync: DatabaseConstructor,
  file: string,
  { migrations }: DatabaseOptions,
): DatabaseSyncInstance {
  const options = { readOnly: true, timeout: BUSY_MILLISECONDS };
  const check = (database: DatabaseSyncInstance): void => checkVersion(database, file, migrations);
  // Without a log nobody writes to it; opening it as immutable creates no files next to it.
  const immutable = new URL(`${pathToFileURL(file).href}?immutable=1`);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.size > 0
    ? checked(new DatabaseSync(file, options), check)
    : checked(new DatabaseSync(immutable, options), check);
}

function checked(
  database: DatabaseSyncInstance,
  check: (database: DatabaseSyncInstance) => void,
): DatabaseSyncInstance {
  try {
    check(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function limitSize(database: DatabaseSyncInstance, mostBytes: number): void {
  const { page_size }: { readonly page_size: number } = database.prepare("PRAGMA page_size").get();
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(mostBytes / page_size))}`);
}
