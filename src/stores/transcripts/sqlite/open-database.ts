import { closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { TenterhookError } from "../../../core/base/errors.ts";
import { makeFolders } from "../../../node/files/make-folders.ts";
import { systemCode } from "../../../node/system-code.ts";
import { checkVersion, migrate } from "./schema.ts";
import { BUSY_MILLISECONDS, whenFree } from "./when-free.ts";

/** A database and its prepared statements. */
export interface OpenDatabase {
  readonly file: string;
  readonly database: DatabaseSyncInstance;
  readonly prepared: (sql: string) => ReturnType<DatabaseSyncInstance["prepare"]>;
  /** False once the file was deleted or another one has its name: what is written then is lost. */
  readonly isThere: () => boolean;
  /** Lets go of the file. */
  readonly close: () => void;
}

/**
 * Opens a database for transcripts; makes it, for this user alone, when it is not there. One that can only be read is opened
 * for that.
 *
 * @throws TenterhookError `store_failed` when the package for SQLite is not installed, or the file is of a later version.
 */
export async function openDatabase(file: string, mostBytes?: number): Promise<OpenDatabase> {
  const { DatabaseSync } = await import("@photostructure/sqlite").catch((cause: unknown) => {
    throw new TenterhookError("store_failed", `${file} can't be opened: SQLite is not installed.`, {
      hint: "Install @photostructure/sqlite 1.2.1, or use jsonlStore; SQLite is there for x64 and arm64 only.",
      cause,
    });
  });
  const database = canWrite(file)
    ? await whenFree(file, () => openToWrite(DatabaseSync, file, mostBytes))
    : openToRead(DatabaseSync, file);
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
        // What is in the log beside the database goes into it: who can only read must find it there.
        database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // Somebody else is writing and will do it, or nothing can be written.
      }
      // Only the garbage collector finalises statements, and the files stay open until then.
      statements.clear();
      database.close();
    },
  };
}

/** Which file has a name. As long as it is open, no other one is taken for it. */
function identityOf(file: string): string | undefined {
  const status = statSync(file, { throwIfNoEntry: false });
  return status === undefined ? undefined : `${status.dev}-${status.ino}`;
}

type Constructor = typeof import("@photostructure/sqlite").DatabaseSync;

/** Makes the file when it is not there. False when it is, and can only be read. */
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

function openToWrite(DatabaseSync: Constructor, file: string, mostBytes?: number): DatabaseSyncInstance {
  return checked(new DatabaseSync(file, { timeout: 0 }), (database) => {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    if (mostBytes !== undefined) limitSize(database, mostBytes);
    migrate(database, file);
  });
}

function openToRead(DatabaseSync: Constructor, file: string): DatabaseSyncInstance {
  const options = { readOnly: true, timeout: BUSY_MILLISECONDS };
  const check = (database: DatabaseSyncInstance): void => checkVersion(database, file);
  // Where no file can be made beside it, a database that nobody writes to is read as it stands.
  const asItStands = new URL(`${pathToFileURL(file).href}?immutable=1`);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.size > 0
    ? checked(new DatabaseSync(file, options), check)
    : checked(new DatabaseSync(asItStands, options), check);
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
