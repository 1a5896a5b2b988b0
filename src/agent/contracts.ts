import type {
  AgentClaim,
  ClaimHolder,
  ClaimOptions,
  Transcript,
  TranscriptChanges,
  TranscriptPage,
} from "../core/contracts/transcript.ts";
import type { HookRun } from "../core/decide/decision.ts";
import type { HookInputItem, HookItem } from "./items.ts";
import type { AgentMessage } from "./messages/messages.ts";

/** The agent that messages and records belong to. */
export interface Owner {
  readonly session_id: string;
  readonly agent_id: string;
}

/** A hook run as the activity records it. */
export type RecordedRun = Omit<HookRun, "event_id" | "started_at" | "input_before">;

/** What the hooks did with one event. Refers to the message and the call by id. */
interface HookRunsItem {
  readonly type: "hook_runs";
  readonly hook_event_name: string;
  readonly event_id: string;
  readonly tool_use_id?: string | undefined;
  readonly message_id?: string | undefined;
  /** The names of hooks that had nothing to say. */
  readonly said_nothing: readonly string[];
  /** The other runs, in order. */
  readonly runs: readonly RecordedRun[];
}

/** Who refused a call. */
export type RefusedBy = "hook" | "rule" | "user" | "nobody";

interface DeniedItem {
  readonly type: "denied";
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly by: RefusedBy;
  readonly reason: string;
}

/** Everything up to this message is stored. */
interface CheckpointItem {
  readonly type: "checkpoint";
  readonly checkpoint_type: string;
  readonly message_id: string;
  readonly message_count: number;
}

export type ActivityFacts = HookItem | HookInputItem | HookRunsItem | DeniedItem | CheckpointItem;

/** A record that is not a message: hook runs, hook inputs, denials, checkpoints. */
export type ActivityEntry = ActivityFacts & {
  readonly turn_id: string;
  readonly timestamp: string;
};

/**
 * Stores conversations.
 *
 * The loop calls `append` once for each message, in order, and waits for it before the next step: nothing runs ahead
 * of what is stored. A rejection ends the run with an error; the message is given again before the next one.
 * Implementations must not change, merge or drop messages.
 */
export interface AgentStore {
  append(message: AgentMessage, owner: Owner): void | Promise<void>;
  /** Records what is not part of the conversation. */
  record?(entry: ActivityEntry, owner: Owner): void | Promise<void>;
  /** Stores the status of the agent. */
  save?(changes: TranscriptChanges, owner: Owner): void | Promise<void>;
  /** Loads an agent. Without it no agent can be resumed by its id. */
  load?(
    agent_id: string,
    options?: { readonly signal?: AbortSignal; readonly session_id?: string },
  ): Promise<Transcript | undefined>;
  /** Lists the agents of a session. */
  list?(options: { readonly session_id: string; readonly cursor?: string }): Promise<TranscriptPage>;
  /**
   * Claims the right to run an agent; rejects while another process has it. Without it two processes may run one agent
   * at once.
   */
  claim?(owner: Owner, options?: ClaimOptions): Promise<AgentClaim>;
  /** The process that runs an agent now, if any. */
  holder?(agent_id: string): Promise<ClaimHolder | undefined>;
  /** Where people and hooks find the transcript. */
  location?(owner: Owner): string | undefined;
}
