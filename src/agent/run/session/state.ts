import type { StartedTask, Tool } from "../../../core/contracts/tool.ts";
import type { ToolInput } from "../../../core/contracts/tool-types.ts";
import type { Usage } from "../../../core/contracts/transcript.ts";
import type { HookInput } from "../../../core/decide/decision.ts";
import type { ContextItem } from "../../../core/events/outcomes.ts";
import type { ActivityEntry, Owner } from "../../contracts.ts";
import type { SteerResult } from "../../items.ts";
import type { AgentMessage } from "../../messages/messages.ts";
import type { ToolDefinitions } from "../../messages/prompt.ts";
import type { PromptInput } from "../../messages/prompt-input.ts";
import type { Budget } from "../../options.ts";
import type { ReadResult } from "../../tools/check-result.ts";
import type { TurnEnded } from "../../turn-ended.ts";

export interface Toolbox {
  readonly tools: ReadonlyMap<string, Tool>;
  definitions: ToolDefinitions;
  /** The folders tools are confined to; the first is the workspace. */
  readonly workspace: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What tools remember. */
  readonly memory: Map<string, unknown>;
  /**
   * The marker in the environment of all programs of this agent and its subagents, and the file of the variables that hooks set
   * for them; both are made for the first program that needs them.
   */
  readonly programs: { mark: string | undefined; env_file: string | undefined };
}

export interface Steering {
  readonly prompt: PromptInput;
  readonly settle: (result: SteerResult) => void;
}

/** What waits for the next turn. */
export interface Inbox {
  /** Texts of hooks that start turns, first in first out. */
  readonly hook_inputs: HookInput[];
  /** Texts of clients that wait for the end of the turn. */
  readonly submitted: HookInput[];
  /** Messages of the user for the running turn. */
  readonly steering: Steering[];
  /** Context that hooks added outside of a turn. */
  readonly context: ContextItem[];
  /** Set when a SessionStart hook ended the run before it began. */
  abort: TurnEnded | undefined;
}

/** Activity entries on their way to the store. */
export interface Activity {
  readonly owner: Owner;
  waiting: ActivityEntry[];
  cancelTimer: (() => void) | undefined;
  writing: Promise<unknown> | undefined;
}

/** How the conversation gets into the store. */
export interface Storage {
  /** Messages of the conversation that the store lacks: repairs of a transcript, messages it failed to store. */
  readonly unsaved: AgentMessage[];
  /** `undefined` without a store that records. */
  readonly activity: Activity | undefined;
  /** The last claim on the agent that its conversation includes; `null`: none, `undefined`: any. */
  claim_id: string | null | undefined;
  /** How many tokens the store knows of. */
  used: number;
  /** True once another process runs the agent: this one must not write any more. */
  taken_over: boolean;
  /** How many messages the last checkpoint covered, and its time on the monotonic clock. */
  readonly checkpoint: { messages: number; time: number | undefined };
}

/** A tool result that came after its call was answered. */
export interface LateResult {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: ToolInput;
  readonly result: ReadResult;
  /** True when its process ended first: the outcome is unknown. */
  readonly cut_off?: true;
  /** The subagent that began it, if that one has ended since. */
  readonly agent_id?: string;
}

/** Tool calls that go on in the background. */
export interface BackgroundWork {
  /** Results that the model has not read yet. */
  readonly done: LateResult[];
  /** The calls whose work this process began. */
  readonly begun: Set<string>;
  /** What the model can watch and stop, by id. */
  readonly tasks: Map<string, StartedTask>;
  /** Who gets the results once this agent has ended. */
  heir: BackgroundWork | undefined;
}

/** Hooks that are in force for some agents of a hook set. */
export interface ActiveHooks {
  readonly file: string;
  /** The agents whose events they are asked about: the one they belong to, and the subagents it starts. */
  readonly agents: Set<string>;
  readonly remove: () => void;
}

export interface Spent {
  tokens: number;
  cost_usd: number;
}

/** What all agents of a session have used together, for its budget and that of the run. */
export interface Spending {
  /** Before the session was resumed, too. */
  readonly session: Spent;
  run: { readonly spent: Spent; readonly limits: Partial<Budget> } | undefined;
}

/** What is known about the length of the conversation, in tokens. */
export interface CompactionState {
  /** As the model counted its last request and answer; 0: unknown. */
  tokens: number;
  /** How many there were when compaction was refused or failed. */
  refused_at: number;
  /** How many there were after the last summary, as the model counts them with its next answer. */
  floor: number | "next answer" | undefined;
  /** What the model takes, once it has refused more. */
  learned: number;
  /** How full the last answer left the model's context; empty before the first answer and after a compaction. */
  context: Usage;
}

/** How many more subagents of a session may work now, and those that wait for it. */
export interface Slots {
  free: number;
  readonly waiting: Set<() => void>;
}
