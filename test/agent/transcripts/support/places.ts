import { join } from "node:path";
import { jsonlStore } from "../../../../src/agent/transcripts/jsonl/jsonl-store.ts";
import { memoryStore } from "../../../../src/agent/transcripts/memory.ts";
import { postgresStore } from "../../../../src/agent/transcripts/postgres/postgres-store.ts";
import { sqliteStore } from "../../../../src/agent/transcripts/sqlite/sqlite-store.ts";
import type { StoreOptions } from "../../../../src/agent/transcripts/store.ts";
import type { TranscriptStore } from "../../../../src/core/contracts/transcript.ts";
import { databaseFor } from "../../../support/postgres-databases.ts";

/** Every kind of store, by name: opens one that keeps its things in a folder. */
export const STORES = {
  memory: (_folder: string, options?: StoreOptions) => memoryStore(options),
  jsonl: (folder: string, options?: StoreOptions) => jsonlStore({ ...options, dir: folder }),
  sqlite: (folder: string, options?: StoreOptions) =>
    sqliteStore({ ...options, file: join(folder, "transcripts.db") }),
  postgres: (folder: string, options?: StoreOptions) =>
    postgresStore({ ...options, url: databaseFor(folder) }),
} satisfies Record<string, (folder: string, options?: StoreOptions) => TranscriptStore>;

/** The name of a kind of store. */
export type StoreKind = keyof typeof STORES;

/** True for the name of a kind of store. */
export function isStoreKind(name: string): name is StoreKind {
  return Object.hasOwn(STORES, name);
}
