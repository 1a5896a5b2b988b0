import type { PermissionMode } from "./tool.ts";

/** Tokens and cost, as far as the agent reports them. */
export type Usage = {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly total_tokens?: number;
  readonly cost_usd?: number;
  readonly [more: string]: unknown;
};

/** A stored message: plain JSON data with an id that is unique in its transcript. Stores read nothing else of it. */
export interface StoredMessage {
  readonly id: string;
}

/** The agent that messages belong to. The fields other than ids are stored when the agent is first seen. */
export interface TranscriptOwner {
  readonly session_id: string;
  readonly agent_id: string;
  readonly parent_agent_id?: string;
  readonly agent_type?: string;
  readonly cwd?: string;
}

/** Every status there is. */
export const TRANSCRIPT_STATUSES = [
  "running",
  "complete",
  "error",
  "cancelled",
  "limit",
  "suspended",
] as const;

/** The status of an agent. One that was killed stays `running`. */
export type TranscriptStatus = (typeof TRANSCRIPT_STATUSES)[number];

/** What may be saved about an agent in addition to its messages. */
export interface TranscriptChanges {
  readonly title?: string;
  readonly status?: TranscriptStatus;
  /**
   * What a suspended agent waits for, or a running one did until its calls have results: JSON data of the agent, given back
   * unchanged. Gone with the next status, unless that brings it.
   */
  readonly waiting_for?: unknown;
  /** What a running agent was given, until that is a message: JSON data of the agent. Gone with the next status. */
  readonly unheard?: unknown;
  /** What went wrong, with the status `error`. Gone with the next status. */
  readonly error?: { readonly error_type: string; readonly message: string };
  readonly model?: string;
  readonly usage?: Usage;
  /** How far it may go without asking: a resumed agent goes no further. */
  readonly mode?: PermissionMode;
  /** The mode that leaving plan mode leads back to. */
  readonly mode_before?: PermissionMode;
}

/** What is known about an agent, without its messages. */
export interface TranscriptMetadata extends TranscriptChanges, TranscriptOwner {
  readonly status: TranscriptStatus;
  /** Where a fork began: the agent, and the last message it shares with it. */
  readonly forked_from?: { readonly agent_id: string; readonly message_id?: string };
  /** ISO time of the first record. */
  readonly created_at: string;
  /** ISO time of the last `save`; messages do not change it. */
  readonly updated_at: string;
}

/** The conversation of one agent. */
export interface Transcript {
  readonly metadata: TranscriptMetadata;
  /** In the order in which they were appended, each once. */
  readonly messages: readonly StoredMessage[];
  /** The last claim whose messages are all here; absent when there was none. A claim for it is taken `after` that. */
  readonly claim_id?: string;
}

/** The process that runs an agent. */
export interface ClaimHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO time. */
  readonly since: string;
}

/** How an agent is claimed. */
export interface ClaimOptions {
  /**
   * The claim the caller's knowledge of the agent is no older than: its own last one or the `claim_id` of what was loaded,
   * `null` when that had none. Not given: whatever.
   */
  readonly after?: string | null;
}

/** The right to run an agent, which one process alone has at a time. Ends with the process at the latest. */
export interface AgentClaim {
  readonly id: string;
  /** Aborted when another machine took it over, because this process gave no sign of life for minutes. */
  readonly lost: AbortSignal;
  /** Gives it back. Never rejects. */
  release(): Promise<void>;
}

/** A record that can't be read although others follow it. */
export interface TranscriptDamage {
  /** The file and the line, or the database and the row. */
  readonly place: string;
}

/** How something is read. */
export interface ReadTranscriptOptions {
  readonly signal?: AbortSignal;
  /** Only an agent of this session: saves a store that stores sessions separately from searching all of them. */
  readonly session_id?: string;
  /** Is notified of each record that can't be read, and reading continues. Without it, reading throws `store_damaged`. */
  readonly onDamage?: (damage: TranscriptDamage) => void;
}

/** Something that happened between messages, as JSON data. It refers to messages by id and never contains one. */
export interface ActivityItem {
  readonly type: string;
}

/** One step of an activity: an item that was recorded, or the place where a message was appended. */
export type ActivityStep =
  | { readonly item: ActivityItem; readonly message_id?: never }
  | { readonly item?: never; readonly message_id: string };

/** Which agents to list. Filters are AND-ed. */
export interface ListTranscriptsOptions {
  readonly session_id?: string;
  readonly status?: TranscriptStatus | readonly TranscriptStatus[];
  readonly parent_agent_id?: string;
  /** True: only agents without a parent, one for each session. */
  readonly root?: boolean;
  readonly cwd?: string;
  /** Text in the title; case does not matter. */
  readonly title?: string;
  /** Only agents saved at this time or later. */
  readonly since?: Date;
  /** How many at most, 1 to 1000. Default 50. */
  readonly limit?: number;
  /** Where the page before ended. */
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

/** Agents, the last created first. */
export interface TranscriptPage {
  readonly transcripts: readonly TranscriptMetadata[];
  /** For the next page; absent on the last one. Agents created meanwhile do not move what follows. */
  readonly cursor?: string;
}

/** Where a fork ends and what it is called. With `onDamage` it has what can be read. */
export interface ForkOptions extends ReadTranscriptOptions {
  /** The last turn, by the `turn_id` of its messages, that the fork has. Default: everything. */
  readonly turn_id?: string;
  /** The last message it has, instead of a turn. */
  readonly message_id?: string;
  /** Default: a new id. */
  readonly agent_id?: string;
}

/**
 * Stores transcripts by agent. A session is its root agent and that agent's children.
 *
 * Several processes may use one store at the same time; none loses or repeats what another wrote. Writing takes no
 * signal: a write is short, and after one that was cancelled half-way its caller would not know what is stored.
 *
 * Every method rejects with a `TenterhookError`: `store_failed` when the place can't be read or written, `invalid_record`
 * for what is no JSON data or has no id.
 */
export interface TranscriptStore {
  /**
   * Adds a message to the transcript of an agent, which begins with its first one. Resolves when the message is durable. An
   * id the transcript has already is not written again. After a rejection the message may or may not be stored: append it
   * again to be sure.
   */
  append<Message extends StoredMessage>(message: Message, owner: TranscriptOwner): Promise<void>;
  /** Adds to the activity. Kept when the process dies; durable like a message only once the next message is. */
  record<Item extends ActivityItem>(item: Item, owner: TranscriptOwner): Promise<void>;
  /** Changes what is known of an agent; what is not given stays. Durable when it resolves. */
  save(changes: TranscriptChanges, owner: TranscriptOwner): Promise<void>;
  /**
   * The transcript of an agent, or `undefined` when there is none.
   *
   * @throws TenterhookError `store_damaged` when a record can't be read and `onDamage` is not given.
   */
  load(agent_id: string, options?: ReadTranscriptOptions): Promise<Transcript | undefined>;
  /** Everything that happened, in order: what was recorded, and references to messages. Empty for an unknown agent. */
  activity(agent_id: string, options?: ReadTranscriptOptions): Promise<readonly ActivityStep[]>;
  list(options?: ListTranscriptsOptions): Promise<TranscriptPage>;
  /** Removes an agent and its descendants. False when there is no such agent. */
  delete(agent_id: string): Promise<boolean>;
  /**
   * Begins a session of its own with the messages of an agent up to a turn. The original is not touched; its activity and
   * its children are not copied. With all messages it has the status of the original, and waits for what that waits for.
   *
   * @returns what is known of the new agent; its session has the same id.
   * @throws TenterhookError `unknown_agent`, also for a turn or message that is not there; `agent_exists`.
   */
  fork(agent_id: string, options?: ForkOptions): Promise<TranscriptMetadata>;
  /**
   * Takes the right to run an agent. A claim of a process that has ended is taken over: immediately on the same
   * machine; two minutes after the last sign of life on another one. Forks need no claim.
   *
   * @throws TenterhookError `agent_in_use` while a living process has it; `agent_changed` when another claim was made after
   *   the one that is given.
   */
  claim(owner: TranscriptOwner, options?: ClaimOptions): Promise<AgentClaim>;
  /** The process that runs an agent now, if one does. */
  holder(agent_id: string): Promise<ClaimHolder | undefined>;
  /** Where the transcript of an agent is or will be, for people and hooks; `undefined` when it is nowhere they can look. */
  location(owner: TranscriptOwner): string | undefined;
  /** Waits for what is being written and lets go of files. Using the store afterwards is an error. */
  close(): Promise<void>;
}
