import type { Clock } from "../../core/base/clock.ts";
import type { PermissionMode, Tool } from "../../core/contracts/tool.ts";
import type { HookInput } from "../../core/decide/decision.ts";
import type { FireOptions } from "../../core/decide/event-scope.ts";
import type { ContextItem } from "../../core/events/outcomes.ts";
import type { Hooks } from "../../core/hooks.ts";
import type { Limits } from "../../core/registration/limits.ts";
import type { AgentStore } from "../contracts.ts";
import type { CheckpointState } from "../conversation/checkpoint.ts";
import type { CompactionState } from "../conversation/compact.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { AgentMessage, ToolCallPart } from "../conversation/messages.ts";
import type { Rollout } from "../conversation/rollout.ts";
import type { AgentItem, ItemListener } from "../items.ts";
import type { BackgroundWork } from "../loop/background.ts";
import type { LastWords } from "../loop/interrupt-deadline.ts";
import type { TurnEnded } from "../loop/turn-ended.ts";
import type { AgentModel } from "../model/agent-model.ts";
import type { ToolDefinitions } from "../model/tool-definitions.ts";
import type { UsageTotals } from "../model/usage.ts";
import type { AgentOptions, ModelChoice, OwnLimits } from "../options.ts";
import type { CutOff } from "../resume/cut-off.ts";
import type { Unfinished } from "../resume/unfinished.ts";
import type { Unheard } from "../resume/unheard.ts";
import type { MemoryFiles } from "../tool-calls/memory-files.ts";
import type { KeptWaiting } from "./waiting-for.ts";

/** The fields that say whose event it is. Filled into every event. */
export interface Identity {
  readonly session_id: string;
  readonly agent_id: string;
  readonly agent_type: string;
  readonly cwd: string;
  turn_id: string | undefined;
  readonly parent_agent_id: string | undefined;
  readonly transcript_path: string | undefined;
}

/** What a turn that has begun no calls together holds of them. */
export const NO_CALLS: readonly ToolCallPart[] = [];

/** One turn while it lasts. */
export interface Turn {
  readonly id: string;
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  /** Aborted when the run is interrupted. A hook ends the turn alone. */
  readonly run: AbortSignal;
  /** What ends hooks that hear of an interrupt. */
  lastWords: LastWords | undefined;
  /** What goes with every event of the turn. */
  readonly firing: FireOptions;
  readonly is_hook_input_turn: boolean;
  readonly usage: UsageTotals;
  /** Where the messages of the turn begin in the transcript. */
  readonly from: number;
  /** Calls that were begun together and may have no result yet. One that runs by itself is always waited for. */
  begun: readonly ToolCallPart[];
  /** Calls that listeners were told of. */
  readonly announced: Set<ToolCallPart>;
  iterations: number;
  continuations: number;
  /** What the model has said of an answer that is still coming. */
  partial: string;
  /** The prompt for this turn, when PreGeneration hooks wrote another one. */
  system_prompt: string;
}

/** Everything an agent knows while it lives: plain data that the functions of the loop share. */
export interface AgentSession {
  readonly options: AgentOptions;
  readonly limits: OwnLimits;
  /** Limits that go before those of the hook set. */
  readonly hook_limits: Partial<Limits> | undefined;
  readonly hooks: Hooks;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly identity: Identity;
  readonly conversation: Conversation;
  readonly tools: ReadonlyMap<string, Tool>;
  toolDefinitions: ToolDefinitions;
  /** What the model was told of the kinds of subagents. */
  kinds: string;
  /** The folders tools are confined to; the first is the workspace. */
  readonly workspace: readonly string[];
  /** The variables of the agent. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the agent is closed: what goes on beside the turns ends with it. */
  readonly lifetime: AbortController;
  /** What programs of this agent and its children carry in their variables; none before the first. */
  readonly programs: { mark: string | undefined };
  /** The map hooks share. */
  readonly values: Map<string, unknown>;
  /** What tools remember. */
  readonly memory: Map<string, unknown>;
  /** Since this agent was made. */
  readonly usage: UsageTotals;
  /** What the session had used when it was resumed. */
  readonly used_before: UsageTotals;
  readonly background: BackgroundWork;
  readonly memoryFiles: MemoryFiles;
  readonly listeners: Set<ItemListener>;
  /** Ends that listeners are told of the runs of hooks. */
  unfollow: (() => void) | undefined;
  /** What is wrong with `.agent/hook.toml` and its programs, as far as it was told. */
  readonly turnHookProblems: Map<string, string>;
  /** Programs of it that a human has allowed for the session, as one would type them. */
  readonly approvedPrograms: Set<string>;
  /** Texts of hooks that are to start turns, first in first out. */
  readonly queue: HookInput[];
  /** Texts of clients that wait for the turn's end. */
  readonly submitted: HookInput[];
  /** What hooks said for the model outside of a turn. */
  readonly pending_context: ContextItem[];
  /** Set when a hook of SessionStart ended the run before it began. */
  pending_abort: TurnEnded | undefined;
  fallback: readonly ModelChoice[];
  model: AgentModel | undefined;
  mode: PermissionMode;
  /** The mode that leaving plan mode leads back to. */
  mode_before: PermissionMode;
  turn: Turn | undefined;
  /** What the conversation has and the store has not: results of a repaired transcript, messages it failed to keep. */
  readonly unkept: AgentMessage[];
  /** What is recorded beside messages; `undefined` when nobody does. */
  readonly rollout: Rollout | undefined;
  /** What it was given before its process was killed, and is no message yet. */
  unheard: Unheard | undefined;
  /** A turn that was cut off or waits for a human. */
  unfinished: Unfinished | undefined;
  /** What went on in the background when the process of a resumed agent ended, until it is told. */
  cut_off: readonly CutOff[];
  /** What a suspended agent waits for, and what humans have said, until the calls that waited have results. */
  waiting: KeptWaiting | undefined;
  /** What names the calls that waited beside one that has begun since, until they have results. */
  not_begun: KeptWaiting | undefined;
  readonly checkpoint: CheckpointState;
  readonly compaction: CompactionState;
  /** The last claim on the agent that its conversation is no older than; `null`: none, `undefined`: whatever. */
  claim_id: string | null | undefined;
  /** True once another process has taken over the agent: what is kept of it is that one's to write. */
  taken_over: boolean;
  /** How many agents are above this one. */
  readonly depth: number;
  /** The call of the agent above that started this one. */
  readonly started_by: string | undefined;
  /** Where the transcripts of children are kept when nobody gave a store. */
  childStore: AgentStore | undefined;
  /** Children at work, whose last words are waited for. */
  readonly children: Set<Promise<unknown>>;
  /** The same for those that work in the background, and end with the agent. */
  readonly backgroundChildren: Set<Promise<unknown>>;
}

/** A limit that hook sets have: the agent's own before the set's, as it is now. */
export function hookLimit({ hook_limits, hooks }: AgentSession, name: keyof Limits): number {
  return hook_limits?.[name] ?? hooks.limits[name];
}

/** Tells whoever listens. Make items only when somebody does: look at `listeners.size` first on hot paths. */
export function emit(session: AgentSession, item: AgentItem): void {
  for (const listener of session.listeners) {
    try {
      listener(item);
    } catch {
      // See ItemListener.
    }
  }
}

/** True when there is something to go on with. */
export function isUnfinished({ unfinished, unheard }: AgentSession): boolean {
  return unfinished !== undefined || unheard !== undefined;
}
