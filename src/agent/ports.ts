import type { ToolInput } from "../core/event-types.ts";
import type { PermissionMode, Tool, UserQuestion } from "../core/tool.ts";
import type { Transcript, TranscriptChanges } from "../core/transcript.ts";
import type { HookInputItem, HookItem } from "./items.ts";
import type { AgentMessage } from "./messages.ts";

/** Whose messages and records they are. */
export interface Owner {
  readonly session_id: string;
  readonly agent_id: string;
}

/** What is recorded beside messages: runs of turn hooks and what they said. */
export type RolloutEntry = (HookItem | HookInputItem) & {
  readonly turn_id: string;
  readonly timestamp: string;
};

/**
 * Where a conversation is kept.
 *
 * The loop calls `append` exactly once for each message, in order, and takes no further step before it resolved: what
 * the model or a tool is told next is never less durable than what it was told before. A rejection ends the run with an
 * error. Implementations must not change, merge or drop messages.
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
  load?(agent_id: string): Promise<Transcript | undefined>;
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
