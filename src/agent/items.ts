import type { PersonAnswer } from "../core/contracts/approval.ts";
import type { UserQuestion } from "../core/contracts/tool.ts";
import type { OutputOf, ToolInput } from "../core/contracts/tool-types.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { HookInput, HookRun } from "../core/decide/decision.ts";
import type { ContextItem, MessageLevel } from "../core/events/outcomes.ts";
import type { AgentMessage, FinishReason, MissingOutcome } from "./messages/messages.ts";
import type { PromptInput } from "./messages/prompt-input.ts";
import type { StopReason } from "./stop-reasons.ts";
import type { WaitingFor } from "./waiting-for.ts";

/** What starts a turn: text of the user, a hook or a parent agent; or nothing, when an interrupted turn continues. */
export type TurnInput =
  | PromptInput
  | { readonly type: "hook_input"; readonly input: HookInput }
  | {
      readonly type: "task";
      readonly text: string;
      readonly context: readonly ContextItem[];
      /** The id of the turn, by which the call that gave the task finds it again. */
      readonly turn_id: string;
    }
  | { readonly type: "continue"; readonly answers?: unknown };

export type NewInput = Exclude<TurnInput, { readonly type: "continue" }>;

export function inputText(input: NewInput): string {
  return input.type === "hook_input" ? input.input.text : input.text;
}

export type Generated = Omit<AgentResult, "agent_id" | "session_id" | "usage" | "turns" | "iterations">;

/** The result of a run. */
export interface AgentResult {
  readonly agent_id: string;
  readonly session_id: string;
  /** The final answer, or why the agent gave no answer. */
  readonly text: string;
  /** What the run used, failed calls included. */
  readonly usage: Usage;
  readonly stop_reason: StopReason;
  /**
   * Why the run ended so: the reason of the interrupt, of the hook, of the judge, the ceiling, or the error. Absent when the
   * agent has answered and nobody had a say.
   */
  readonly reason?: string;
  /** How the model ended its last answer; absent when the run ended without one. */
  readonly finish_reason?: FinishReason;
  /** The answer as data, if the run has an output schema and the answer fits it. */
  readonly output?: unknown;
  /** How many turns the run had: that of the prompt, and those that hooks and clients started. */
  readonly turns: number;
  /** How often the model was asked, in all turns of the run. */
  readonly iterations: number;
  /** What a human must answer first, when the stop reason is `suspended`. */
  readonly waiting_for?: WaitingFor;
  /** What went wrong, when the stop reason is `error`. */
  readonly error?: { readonly error_type: string; readonly message: string };
}

/** What became of a message for a running turn. */
export type SteerResult =
  /** It is in the transcript, and the model reads it next. */
  | { readonly status: "joined" }
  /** A UserPromptSubmit hook refused it. */
  | { readonly status: "denied"; readonly reason: string }
  /** The model does not read it: no step followed. `run` can take it. */
  | { readonly status: "not_joined"; readonly reason: string };

/** The result of a run with an output schema: a complete one has the output, typed as the schema says. */
export type OutputResult<Schema> = Omit<AgentResult, "stop_reason" | "output"> &
  (
    | { readonly stop_reason: "complete"; readonly output: OutputOf<Schema> }
    | { readonly stop_reason: Exclude<StopReason, "complete">; readonly output?: OutputOf<Schema> }
  );

/** Which run of which hook an item is about. */
export interface HookItemBase {
  readonly run_id: string;
  readonly hook: string;
  readonly hook_event_name: string;
  /** The tool call of the event, if any. */
  readonly tool_use_id?: string;
}

/** A run of a hook begins, has output, or is over. Every begin has an end. */
export type HookItem =
  /** A hook begins. */
  | (HookItemBase & {
      readonly type: "hook_begin";
      /** What is run, for a command of `.agent/hook.toml`. */
      readonly command?: readonly string[];
    })
  /** A hook has output. */
  | (HookItemBase & {
      readonly type: "hook_output";
      readonly stream: "stdout" | "stderr";
      readonly text: string;
    })
  /** A hook is done: what it returned, or how it failed. */
  | (HookItemBase & { readonly type: "hook_end"; readonly run: HookRun });

/** Text of a hook that joins or starts a turn, as shown: `HookInput: <text>`. */
export interface HookInputItem {
  readonly type: "hook_input";
  /** `TurnStart`, `TurnEnd`, or the name a client or hook gave. */
  readonly hook: string;
  readonly text: string;
  /** For a program of `.agent/hook.toml`: its argv, what it wrote and how it ended. */
  readonly command?: readonly string[];
  readonly stderr?: string;
  readonly exit_code?: number;
}

/** What a listener gets while the agent works: plain data that fits into a line of JSON. */
export type AgentItem =
  /** A turn begins. */
  | {
      readonly type: "turn_start";
      readonly turn_id: string;
      readonly is_hook_input_turn: boolean;
      /** Who started it, when that was not the user: a hook, or a client by the name it gave. */
      readonly hook?: string;
    }
  /** The conversation has a new message, whole. */
  | { readonly type: "message"; readonly message: AgentMessage }
  /** More text of an answer. */
  | { readonly type: "text_delta"; readonly message_id: string; readonly text: string }
  /** More of what the model thinks. */
  | { readonly type: "reasoning_delta"; readonly message_id: string; readonly text: string }
  /** More of the input of a call, as the model writes it: JSON that nobody has checked. `tool_call` has the whole input. */
  | {
      readonly type: "tool_input_delta";
      readonly message_id: string;
      readonly tool_use_id: string;
      readonly tool_name: string;
      readonly text: string;
    }
  /** The model wants a call; hooks and permissions are asked next. */
  | {
      readonly type: "tool_call";
      readonly tool_use_id: string;
      readonly tool_name: string;
      readonly tool_input: ToolInput;
    }
  /** A tool has output. */
  | {
      readonly type: "tool_progress";
      readonly tool_use_id: string;
      readonly text: string;
      readonly stream: "stdout" | "stderr";
    }
  /** What came of a call; `outcome` says when the tool did not come to its end. */
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly tool_name: string;
      readonly content: string;
      readonly is_error: boolean;
      readonly outcome?: MissingOutcome;
      readonly duration_ms: number;
    }
  | HookItem
  | HookInputItem
  /** A human is asked to agree. */
  | {
      readonly type: "approval_request";
      readonly kind: "permission" | "plan" | "model_switch" | "turn_hook";
      readonly tool_use_id?: string;
      readonly tool_name?: string;
      readonly tool_input?: ToolInput;
      readonly preview?: string;
      /** The plan, the program to run, or the model to switch to. */
      readonly subject?: string;
      readonly reason?: string;
    }
  /** A person has answered what was asked about a call, or what it asks: who, and after how long. */
  | ({
      readonly type: "person_answer";
      readonly tool_use_id: string;
      readonly done: "allowed" | "refused" | "answered";
    } & PersonAnswer)
  /** Something a subagent tells. */
  | {
      readonly type: "subagent";
      readonly agent_id: string;
      readonly agent_type: string;
      readonly description: string;
      /** What the subagent reports. The agent itself reports runs of hooks, whatever caused them. */
      readonly item: AgentItem;
    }
  /** The user is asked. */
  | { readonly type: "question"; readonly questions: readonly UserQuestion[] }
  /** The work list was replaced. */
  | { readonly type: "todos"; readonly todos: readonly unknown[] }
  /** A message to the user, from a hook or from the runtime. */
  | { readonly type: "notice"; readonly text: string; readonly level: MessageLevel; readonly hook?: string }
  /** Another model is used from now on. */
  | { readonly type: "model"; readonly model: string; readonly triggered_by: string }
  /** What the session has used so far. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** Something failed. */
  | {
      readonly type: "error";
      readonly error_type: string;
      readonly message: string;
      /**
       * Set when it is tried again, after so many milliseconds, or 0: at once, with another model. What was streamed of the
       * failed answer is void.
       */
      readonly retry_in_ms?: number;
    }
  /** The run is over: the last item. */
  | { readonly type: "done"; readonly result: AgentResult };

/** A listener for items. What it throws is ignored: a listener must not change what happens. */
export type ItemListener = (item: AgentItem) => unknown;
