import type {
  ActivityStep,
  ListTranscriptsOptions,
  ReadTranscriptOptions,
  StoredMessage,
  Transcript,
  TranscriptChanges,
  TranscriptMetadata,
  TranscriptOwner,
} from "../../core/contracts/transcript.ts";
import type { ClaimChange, StoredClaim } from "./records.ts";

/** Which agents a backend lists. */
export interface ListQuery extends Omit<ListTranscriptsOptions, "cursor" | "limit" | "status"> {
  readonly limit: number;
  readonly statuses?: readonly string[];
  /** Only what comes after this agent. */
  readonly after?: ListPosition;
}

/** The place of an agent in the list: by time of creation, and by id within one instant. */
export type ListPosition = Pick<TranscriptMetadata, "created_at" | "agent_id">;

/** A transcript, and the last claim on its agent. */
export interface LoadedTranscript extends Omit<Transcript, "claim_id"> {
  readonly claim?: StoredClaim;
}

/** What differs between the places that store transcripts; `store.ts` has the rest. May throw any error. */
export interface Backend {
  /** Its name in messages: a folder, a file. */
  readonly place: string;
  /** `json` is the message; resolves when it is durable. Does nothing when the agent has a message with this id. */
  append(id: string, json: string, owner: TranscriptOwner, time: string): Promise<void>;
  record(json: string, owner: TranscriptOwner, time: string): Promise<void>;
  save(changes: TranscriptChanges, owner: TranscriptOwner, time: string): Promise<void>;
  /** Must read the claim before the messages: its holder may add messages that were not read. */
  load(agent_id: string, options: ReadTranscriptOptions): Promise<LoadedTranscript | undefined>;
  activity(agent_id: string, options: ReadTranscriptOptions): Promise<readonly ActivityStep[]>;
  /** At most `limit`, in the order of {@link ListPosition}, the last created first. */
  list(query: ListQuery): Promise<readonly TranscriptMetadata[]>;
  delete(agent_id: string): Promise<boolean>;
  /** Starts a transcript with all of this or nothing. False when the agent exists. */
  create(metadata: TranscriptMetadata, messages: readonly StoredMessage[]): Promise<boolean>;
  /** The last claim on an agent. Without `session_id` it searches for the agent's session. */
  lastClaim(agent_id: string, session_id?: string): Promise<StoredClaim | undefined>;
  /** Replaces the last claim. False when that is no longer `before`. */
  putClaim(claim: StoredClaim, owner: TranscriptOwner, before: string | undefined): Promise<boolean>;
  /** Changes a claim. False when it is no longer the last one. */
  changeClaim(id: string, change: ClaimChange, owner: TranscriptOwner): Promise<boolean>;
  location(owner: TranscriptOwner): string | undefined;
  close(): Promise<void>;
}
