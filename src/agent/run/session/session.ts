import type { Clock } from "../../../core/base/clock.ts";
import { invalidOption } from "../../../core/base/errors.ts";
import {
  type BackgroundTask,
  type PermissionMode,
  SANDBOX_MODES,
  type SandboxMode,
  type TaskRequest,
  type ToolResult,
} from "../../../core/contracts/tool.ts";
import type { FireOptions } from "../../../core/decide/fired-event.ts";
import type { Hooks } from "../../../core/hooks.ts";
import type { Limits } from "../../../core/registration/limits.ts";
import type { Grants } from "../../../core/session/grants.ts";
import type { AgentStore } from "../../contracts.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { PendingWork } from "../../conversation/restore.ts";
import type { AgentItem, ItemListener } from "../../items.ts";
import type { MessageFromAssistant, ToolCallPart } from "../../messages/messages.ts";
import type { AgentModel, ModelChoice } from "../../model/agent-model.ts";
import type { UsageTotals } from "../../model/usage.ts";
import type { AgentParts, OwnLimits } from "../../options.ts";
import type { MemoryFiles } from "./memory-files.ts";
import type { TurnOutput } from "./output-format.ts";
import type {
  ActiveHooks,
  BackgroundWork,
  CompactionState,
  Inbox,
  Slots,
  Spending,
  Storage,
  Toolbox,
} from "./state.ts";

/** The fields of every event that say which agent it belongs to. */
export interface Identity {
  readonly session_id: string;
  readonly agent_id: string;
  readonly agent_type: string;
  readonly cwd: string;
  turn_id: string | undefined;
  readonly parent_agent_id: string | undefined;
  readonly transcript_path: string | undefined;
}

/** The deadlines of hooks that run after an interrupt: one for all events of the turn. */
export interface InterruptDeadline {
  readonly signal: AbortSignal;
  /** For Error hooks, which are notified which of the others ran out of time. */
  readonly errors: AbortSignal;
}

/** One turn while it lasts. */
export interface Turn {
  readonly session: AgentSession;
  readonly id: string;
  /** Aborted with a `TurnEnded`, so that `throwIfAborted` ends the turn as it should end. */
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  /** Aborted when the run is interrupted. A hook that ends the run aborts the turn alone. */
  readonly run: AbortSignal;
  interruptDeadline: InterruptDeadline | undefined;
  /** The options of every event of the turn. */
  readonly firing: FireOptions;
  /** The hook or client that started it. */
  readonly hook: string | undefined;
  readonly is_hook_input_turn: boolean;
  readonly usage: UsageTotals;
  /** Where the messages of the turn begin in the transcript. */
  readonly from: number;
  /** Calls that were started and may have no result yet. */
  started: readonly ToolCallPart[];
  /** Calls that listeners know of. */
  readonly announced: Set<ToolCallPart>;
  iterations: number;
  continuations: number;
  /** True once an answer has filled the context and was continued: a second one ends the turn. */
  made_room: boolean;
  /** The text so far of an answer that is still streaming; empty when hooks guard answers. */
  partial: string;
  /** What its answer must be. */
  readonly output: TurnOutput | undefined;
  /** An answer that is not in the conversation yet: hooks may still change or refuse it. */
  held: MessageFromAssistant | undefined;
  /** The prompt for this turn; PreGeneration hooks may replace it. */
  system_prompt: string;
}

/** A task for a subagent, and the call that gives it. */
export interface Task {
  readonly parent: AgentSession;
  /** The turn of the parent. */
  readonly turn: Turn;
  readonly call: Pick<ToolCallPart, "tool_use_id" | "tool_name">;
  readonly request: TaskRequest;
}

/** How the work on a task ends and is delivered. */
export interface TaskOptions {
  readonly signal: AbortSignal;
  readonly deliverLater: (result: Promise<ToolResult>, child: BackgroundTask) => void;
}

/** The subagents of an agent, and its own place among agents. */
export interface Subagents {
  /** Starts a subagent. A port: a subagent runs the loop that tool calls are part of. */
  readonly start: (task: Task, options: TaskOptions) => Promise<ToolResult>;
  /** How many agents are above this one. */
  readonly depth: number;
  /** The agent that started this one: what this one uses counts for it, too. */
  readonly parent: AgentSession | undefined;
  /** The call of the parent that started this agent. */
  readonly started_by: string | undefined;
  /** The kinds of subagents and the skills that the model knows of. */
  kinds: string;
  /** Stores transcripts of subagents when the agent has no store. */
  store: AgentStore | undefined;
  readonly running: Set<Promise<unknown>>;
  /** Shared by all subagents of a session. */
  readonly slots: Slots;
  /** How many of its own subagents this one waits for. */
  waits_for: number;
  /** Subagents in the background, which end with the agent. */
  readonly background: Set<Promise<unknown>>;
}

/** The state of an agent: plain data that the functions of the loop share. */
export interface AgentSession {
  readonly options: AgentParts;
  readonly limits: OwnLimits;
  /** Limits that override those of the hook set. */
  readonly hook_limits: Partial<Limits> | undefined;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly identity: Identity;
  readonly conversation: Conversation;
  readonly toolbox: Toolbox;
  readonly listeners: Set<ItemListener>;
  /** The map hooks share. */
  readonly values: Map<string, unknown>;
  /** Aborted when the agent is closed. */
  readonly lifetime: AbortController;
  /** Used since this agent was created. */
  readonly usage: UsageTotals;
  /** Used before the session was resumed. */
  readonly used_before: UsageTotals;
  /** Shared with subagents. */
  readonly spending: Spending;
  readonly memoryFiles: MemoryFiles;
  /** Programs of `.agent/hook.toml`: problems that were shown, command lines a human allowed for the session. */
  readonly turnPrograms: { readonly problems: Map<string, string>; readonly approved: Set<string> };
  readonly inbox: Inbox;
  readonly pending: PendingWork;
  readonly storage: Storage;
  readonly background: BackgroundWork;
  readonly subagents: Subagents;
  /** Hooks of skills and of kinds of subagents that hold for this agent. */
  readonly active: ActiveHooks[];
  /** Warnings that were shown; each is shown once. Shared with subagents. */
  readonly warned: Set<string>;
  /** What humans have granted; shared with subagents. */
  readonly grants: Grants;
  readonly compaction: CompactionState;
  /** Messages, as they are sent, whose images or files a model has refused. */
  readonly refused_files: WeakSet<object>;
  model: AgentModel | undefined;
  /** False until hooks have agreed to the model: it must not get any request before. */
  model_agreed: boolean;
  fallback: readonly ModelChoice[];
  mode: PermissionMode;
  /** The mode to return to from plan mode. */
  mode_before: PermissionMode;
  turn: Turn | undefined;
}

/** A limit that hook sets have: the agent's own, or the current one of the set. */
export function hookLimit({ hook_limits, hooks }: AgentSession, name: keyof Limits): number {
  return hook_limits?.[name] ?? hooks.limits[name];
}

/** Tells every listener. What a listener throws is ignored. */
export function emit(session: AgentSession, item: AgentItem): void {
  for (const listener of session.listeners) {
    try {
      listener(item);
    } catch {
      // See ItemListener.
    }
  }
}

export function isUnfinished({ pending: { unfinished, unheard } }: AgentSession): boolean {
  return unfinished !== undefined || unheard !== undefined;
}

/**
 * The sandbox for the next program.
 *
 * @throws TenterhookError `invalid_option` when the function of the options returns no mode: nothing must run then.
 */
export function sandboxOf({ options: { sandbox = "off" } }: AgentSession): SandboxMode {
  if (typeof sandbox !== "function") return sandbox;
  const given: unknown = sandbox();
  const mode = SANDBOX_MODES.find((name) => name === given);
  if (mode !== undefined) return mode;
  throw invalidOption(
    `The function sandbox returned ${String(given)}; it must be ${SANDBOX_MODES.slice(0, -1).join(", ")} or ${SANDBOX_MODES.at(-1)}.`,
  );
}
