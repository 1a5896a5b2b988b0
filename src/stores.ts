/** Where agents keep their transcripts: in memory, in files, in a database. */

export type {
  AgentClaim,
  ClaimHolder,
  ClaimOptions,
  ForkOptions,
  InputHistoryOptions,
  ListTranscriptsOptions,
  ReadTranscriptOptions,
  RolloutItem,
  RolloutStep,
  StoredMessage,
  Transcript,
  TranscriptChanges,
  TranscriptDamage,
  TranscriptMetadata,
  TranscriptOwner,
  TranscriptPage,
  TranscriptStatus,
  TranscriptStore,
  TypedInput,
} from "./core/contracts/transcript.ts";
export { type JsonlStoreOptions, jsonlStore } from "./stores/transcripts/jsonl/jsonl-store.ts";
export { memoryStore } from "./stores/transcripts/memory.ts";
export type { RedactScope } from "./stores/transcripts/secrets.ts";
export { type SqliteStoreOptions, sqliteStore } from "./stores/transcripts/sqlite/sqlite-store.ts";
export type { StoreOptions } from "./stores/transcripts/store.ts";
