import type {
  InputHistoryOptions,
  ListTranscriptsOptions,
  ReadTranscriptOptions,
  RolloutStep,
  StoredMessage,
  Transcript,
  TranscriptChanges,
  TranscriptMetadata,
  TranscriptOwner,
  TypedInput,
} from "../../core/contracts/transcript.ts";
import type { ClaimChange, KeptClaim } from "./claim-record.ts";

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
  readonly claim?: KeptClaim;
}

/**
 * What a place where transcripts are kept has to do by itself. Everything else (checks, secrets, pages, where a fork ends)
 * is the same for all and stands in `store.ts`. May throw whatever it likes.
 */
export interface Backend {
  /** What it is called in messages: a folder, a file. */
  readonly place: string;
  /** `json` is the message; resolves when it is durable. Does nothing when the agent has a message with this id. */
  append(id: string, json: string, owner: TranscriptOwner, time: string): Promise<void>;
  record(json: string, owner: TranscriptOwner, time: string): Promise<void>;
  save(changes: TranscriptChanges, owner: TranscriptOwner, time: string): Promise<void>;
  /** The claim is read before the messages: whoever has it adds some that may not be there. */
  load(agent_id: string, options: ReadTranscriptOptions): Promise<LoadedTranscript | undefined>;
  rollout(agent_id: string, options: ReadTranscriptOptions): Promise<readonly RolloutStep[]>;
  /** At most `limit`, in the order of {@link ListPosition}, the last created first. */
  list(query: ListQuery): Promise<readonly TranscriptMetadata[]>;
  delete(agent_id: string): Promise<boolean>;
  /** Begins a transcript with all of this or nothing. False when the agent is there already. */
  create(metadata: TranscriptMetadata, messages: readonly StoredMessage[]): Promise<boolean>;
  typed(input: TypedInput): Promise<void>;
  history(query: InputHistoryOptions & { readonly limit: number }): Promise<readonly TypedInput[]>;
  /** The last claim on an agent, whose session is looked for when it is not known. */
  lastClaim(agent_id: string, session_id?: string): Promise<KeptClaim | undefined>;
  /** Puts a claim in the place of the last one, unless that is another one than `before` by now. True when it stands. */
  putClaim(claim: KeptClaim, owner: TranscriptOwner, before: string | undefined): Promise<boolean>;
  /** Changes a claim. False when it is not the last one any more. */
  changeClaim(id: string, change: ClaimChange, owner: TranscriptOwner): Promise<boolean>;
  location(owner: TranscriptOwner): string | undefined;
  close(): Promise<void>;
}
