/** Where agents keep their transcripts: in memory, in files, in a database. */

export { type JsonlStoreOptions, jsonlStore } from "./agent/transcripts/jsonl/jsonl-store.ts";
export { memoryStore } from "./agent/transcripts/memory.ts";
export { type PostgresStoreOptions, postgresStore } from "./agent/transcripts/postgres/postgres-store.ts";
export type { RedactScope } from "./agent/transcripts/secrets.ts";
export { type SqliteStoreOptions, sqliteStore } from "./agent/transcripts/sqlite/sqlite-store.ts";
export type { StoreOptions } from "./agent/transcripts/store.ts";
export type {
  ActivityItem,
  ActivityStep,
  AgentClaim,
  ClaimHolder,
  ClaimOptions,
  ForkOptions,
  ListTranscriptsOptions,
  ReadTranscriptOptions,
  StoredMessage,
  Transcript,
  TranscriptChanges,
  TranscriptDamage,
  TranscriptMetadata,
  TranscriptOwner,
  TranscriptPage,
  TranscriptStatus,
  TranscriptStore,
} from "./core/contracts/transcript.ts";
