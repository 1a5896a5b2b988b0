import type { PermissionMode, Tool, UserQuestion } from "../core/contracts/tool.ts";
import type {
  AgentClaim,
  ClaimHolder,
  ClaimOptions,
  Transcript,
  TranscriptChanges,
  TranscriptPage,
} from "../core/contracts/transcript.ts";
import type { HookRun } from "../core/decide/decision.ts";
import type { ToolInput } from "../core/events/payloads.ts";
import type { AgentMessage } from "./conversation/messages.ts";
import type { HookInputItem, HookItem } from "./items.ts";

/** Whose messages and records they are. */
export interface Owner {
  readonly session_id: string;
  readonly agent_id: string;
}

/** A run as its entry in the rollout has it. */
export type RecordedRun = Omit<HookRun, "event_id" | "started_at" | "input_before">;

/** What the hooks of the set did with one event. It refers to the message and the call it is about, and holds neither. */
interface HookRunsItem {
  readonly type: "hook_runs";
  readonly hook_event_name: string;
  readonly event_id: string;
  readonly tool_use_id?: string | undefined;
  readonly message_id?: string | undefined;
  /** The names of those that had nothing to say. */
  readonly said_nothing: readonly string[];
  /** The others, in the order in which they ran. */
  readonly runs: readonly RecordedRun[];
}

/** Who refused a call. */
export type RefusedBy = "hook" | "rule" | "user" | "nobody";

/** A call that was not let run. */
interface DeniedItem {
  readonly type: "denied";
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly by: RefusedBy;
  readonly reason: string;
}

/** Everything up to the message with this id is kept. */
interface CheckpointItem {
  readonly type: "checkpoint";
  readonly checkpoint_type: string;
  readonly message_id: string;
  readonly message_count: number;
}

/** Something that is recorded beside messages. */
export type RolloutFacts = HookItem | HookInputItem | HookRunsItem | DeniedItem | CheckpointItem;

/** What is recorded beside messages, with when it was: runs of hooks and what they said, denials, checkpoints. */
export type RolloutEntry = RolloutFacts & {
  readonly turn_id: string;
  readonly timestamp: string;
};

/**
 * Where a conversation is kept.
 *
 * The loop calls `append` once for each message, in order, and takes no further step before it resolved: what the model
 * or a tool is told next is never less durable than what it was told before. A rejection ends the run with an error; the
 * message is given again before the next one. Implementations must not change, merge or drop messages.
 */
export interface AgentStore {
  append(message: AgentMessage, owner: Owner): void | Promise<void>;
  /** Keeps what belongs into the rollout and not into the conversation. */
  record?(entry: RolloutEntry, owner: Owner): void | Promise<void>;
  /** Keeps what the user typed; never called for text of hooks. */
  typed?(text: string, owner: Owner): void | Promise<void>;
  /** Keeps how the agent is doing. */
  save?(changes: TranscriptChanges, owner: Owner): void | Promise<void>;
  /** What is kept of an agent. Without it no agent can be resumed by its id. */
  load?(
    agent_id: string,
    options?: { readonly signal?: AbortSignal; readonly session_id?: string },
  ): Promise<Transcript | undefined>;
  /** What is known of the agents of a session. */
  list?(options: { readonly session_id: string; readonly cursor?: string }): Promise<TranscriptPage>;
  /** Takes the right to run an agent; rejects while another process has it. Without it two may run one agent at once. */
  claim?(owner: Owner, options?: ClaimOptions): Promise<AgentClaim>;
  /** The process that runs an agent now, if one does. */
  holder?(agent_id: string): Promise<ClaimHolder | undefined>;
  /** Where people and hooks can look. */
  location?(owner: Owner): string | undefined;
}

/** A call that is about to run, as permissions judge it. */
export interface PermissionCall {
  readonly tool_name: string;
  readonly tool_input: ToolInput;
  readonly tool?: Tool;
  readonly mode: PermissionMode;
  readonly cwd: string;
  readonly workspace: readonly string[];
}

/** What permissions say of a call. */
export interface PermissionVerdict {
  readonly action: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** The rule that decided, when it was one: its ask holds though a hook allows the call. */
  readonly rule?: string;
  /** What a human could grant, for the PermissionRequest event. */
  readonly suggestions?: readonly unknown[];
}

/**
 * Who may do what. Asked about the final input of every call, after the hooks; a deny can't be lifted by anybody. A
 * rejection is a deny.
 */
export interface Permissions {
  check(call: PermissionCall, signal: AbortSignal): PermissionVerdict | Promise<PermissionVerdict>;
  /** A human granted exactly this call for the rest of the session. */
  grant?(call: PermissionCall): void;
  /** A mode that holds for agents in a looser one, for whoever follows a configuration that can become stricter. */
  bound?(): PermissionMode | undefined;
  /** True for a file that must not be read, so that searches leave it out. */
  hides?(path: string, place: Pick<PermissionCall, "cwd" | "workspace">): boolean;
}

/** What a human is asked to agree to. */
export interface ApprovalRequest {
  readonly kind: "permission" | "plan" | "model_switch" | "turn_hook";
  readonly tool_name?: string;
  readonly tool_input?: ToolInput;
  readonly tool_use_id?: string;
  /** The plan, the program to run, or the model to switch to. */
  readonly subject?: string;
  readonly reason?: string;
  readonly suggestions?: readonly unknown[];
}

/** What the human said. Feedback of a refusal reaches the model. */
export type Approval =
  | { readonly decision: "once" }
  | { readonly decision: "session" }
  | { readonly decision: "refuse"; readonly feedback?: string };

/** Asks a human. Not given, rejected or answered with anything else: refused. */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Approval | Promise<Approval>;

/** Asks the user questions; answers by question. `undefined`: nobody answered. */
export type AskUser = (
  questions: readonly UserQuestion[],
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>> | undefined>;
