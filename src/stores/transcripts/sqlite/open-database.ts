import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { TenterhookError } from "../../../core/errors.ts";
import { migrate } from "./schema.ts";

const BUSY_MILLISECONDS = 10_000;

/** A database and its prepared statements. */
export interface OpenDatabase {
  readonly file: string;
  readonly database: DatabaseSyncInstance;
  readonly prepared: (sql: string) => ReturnType<DatabaseSyncInstance["prepare"]>;
}

/**
 * Opens a database for transcripts; makes it, for this user alone, when it is not there.
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
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  const database = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    if (mostBytes !== undefined) limitSize(database, mostBytes);
    migrate(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, ReturnType<DatabaseSyncInstance["prepare"]>>();
  return {
    file,
    database,
    prepared(sql) {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function limitSize(database: DatabaseSyncInstance, mostBytes: number): void {
  const { page_size }: { readonly page_size: number } = database.prepare("PRAGMA page_size").get();
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(mostBytes / page_size))}`);
}
