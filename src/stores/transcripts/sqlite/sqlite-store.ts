import { resolve } from "node:path";
import type { TranscriptStore } from "../../../core/contracts/transcript.ts";
import { createStore, type StoreOptions } from "../store.ts";
import { sqliteBackend } from "./sqlite-backend.ts";

/** Where transcripts are kept in one database. */
export interface SqliteStoreOptions extends StoreOptions {
  /** Made, for this user alone, when it is not there. */
  readonly file: string;
  /** How large the file may grow. Beyond it nothing is kept any more, and every `append` says so. */
  readonly maxBytes?: number;
}

/**
 * A store in a SQLite database, which several processes can share. It is opened, and the package for it loaded, with the
 * first thing that is read or written.
 */
export function sqliteStore(options: SqliteStoreOptions): TranscriptStore {
  return createStore(sqliteBackend(resolve(options.file), options.maxBytes), options);
}
