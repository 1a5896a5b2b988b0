import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Clock } from "../core/base/clock.ts";
import type { ApprovalOptions, AskApproval, AskUser } from "../core/contracts/approval.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { PermissionMode, SandboxMode, Tool } from "../core/contracts/tool.ts";
import type { Transcript } from "../core/contracts/transcript.ts";
import type { Hooks } from "../core/hooks.ts";
import type { Limits } from "../core/registration/limits.ts";
import type { Permissions } from "../handlers/permissions/permission-types.ts";
import type { AgentStore } from "./contracts.ts";
import type { AgentDefinition } from "./definitions/definition.ts";
import type { OwnHooks, Skill } from "./definitions/skill.ts";
import type { ItemListener } from "./items.ts";
import type { AgentMessage } from "./messages/messages.ts";
import type { AgentModel, ModelChoice } from "./model/agent-model.ts";
import type { Price } from "./model/usage.ts";
import type { Telemetry } from "./telemetry/api.ts";
import type { TurnHookSource } from "./turn-hooks.ts";

/** What may be used: of a session as a limit of the agent, of one run as an option of the run. Subagents count. */
export interface Budget {
  /** Tokens of all model calls, as `usage.total_tokens` counts them. Reached: the turn waits for a higher limit. */
  readonly tokens: number;
  /** US dollars, as `usage.cost_usd` counts them. A model without a known price is not asked then. */
  readonly cost_usd: number;
}

/** Limits of an agent. Those that hook sets have too override the set's. */
export interface AgentLimits extends Limits, Budget {
  /** Rounds of one turn, Stop continuations included; then comes one last answer without tools. */
  readonly iterations: number;
  /** How long one answer of the model may take. */
  readonly response_seconds: number;
  /** How often a failed model call is retried. */
  readonly model_retries: number;
  /** The longest pause before a retry; a provider that asks for more counts as failed. */
  readonly retry_wait_seconds: number;
  /** How often the model is asked again for an answer that does not fit the output schema. */
  readonly output_retries: number;
  /** How many levels of agents there may be, the first included. */
  readonly agent_depth: number;
  /** How many subagents of a session work at the same time; the others wait. */
  readonly max_concurrency: number;
}

export type OwnLimits = Omit<AgentLimits, keyof Limits>;

/** Settings of every model request. */
export type ModelSettings = Pick<
  LanguageModelV3CallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "stopSequences" | "providerOptions" | "headers"
>;

/** When and how a conversation is shortened. */
export interface CompactionSettings {
  /** Shorten above so many tokens. Default: three quarters of the model's context window, 100,000 when it is unknown. */
  readonly threshold_tokens?: number;
  /** About how many tokens of the last messages stay as they are. Default: a fifth of the threshold. */
  readonly keep_tokens?: number;
  /** Writes the summary. Default: the agent's own model. */
  readonly model?: ModelChoice;
  /** What the summary must hold, in addition to what it always holds. */
  readonly instructions?: string;
}

/** Which models are asked, and how. */
export interface ModelOptions {
  /** The name that opens the model again, if a model itself is given; stored with the transcript. */
  readonly model_name?: string;
  /** Models to use, in order, when the current one fails for good. */
  readonly fallback?: readonly ModelChoice[];
  /** Temperature, longest answer, options of the provider and headers of every request. */
  readonly model_settings?: ModelSettings;
  /** Marks the prompt for the provider's cache, where it wants that (Anthropic). Default true. */
  readonly prompt_caching?: boolean;
  /**
   * Requests a minute by model, for all agents of this program together: `{ "anthropic/*": 50 }`. A request beyond that waits.
   */
  readonly rate_limit?: Readonly<Record<string, number>>;
  /** What a model call costs. Default: by list prices. */
  readonly price?: Price;
  /** How many tokens a model takes, by its name. Default of `tenterhook/agent`: what is known of current models. */
  readonly contextWindow?: (model: string) => number | undefined;
  /** Finds a model by its name. Default of `tenterhook/agent`: `openModel`. */
  readonly resolveModel?: (name: string) => AgentModel | Promise<AgentModel>;
}

/** Whose session it is, and what it begins with. */
export interface SessionOptions {
  /** Default: a new one. */
  readonly session_id?: string;
  /** Default: the id of the session. */
  readonly agent_id?: string;
  /** The name for matchers (`agents`). Default `main`. */
  readonly agent_type?: string;
  /** The agent that started this one, if it is a subagent. */
  readonly parent_agent_id?: string;
  /** A stored conversation to continue, under its own ids. */
  readonly resume?: Transcript;
  /** A conversation to begin with. */
  readonly transcript?: readonly AgentMessage[];
  /** The transcript path in events. Default: that of the store. */
  readonly transcript_path?: string;
  /** Why the session starts, for SessionStart hooks. Default `startup`, or `resume`. */
  readonly source?: "startup" | "resume" | "clear" | "compact" | "fork";
  /** Passed to SessionStart and ModelSwitch hooks. */
  readonly profile?: string;
  /** Passed to SessionStart hooks. */
  readonly config?: unknown;
  /** Fires a Checkpoint event after so many messages within a turn, in addition to the one at its end. */
  readonly checkpoint_messages?: number;
}

/** What the model sees besides the conversation, and how much of that. */
export interface ContextSettings {
  /**
   * Shortens what the model sees when it gets long, or when the model refuses it as too long; the transcript keeps
   * everything. False: never.
   */
  readonly compaction?: CompactionSettings | false;
  /** Files whose changes fire MemoryUpdate, relative to the workspace. Default: AGENTS.md and CLAUDE.md. */
  readonly memory_files?: readonly string[];
  /** Finds skills, each time one is wanted. Default of `tenterhook/agent`: those of the user and of the workspace. */
  readonly findSkills?: (cwd: string, signal?: AbortSignal) => Promise<readonly Skill[]>;
}

/** Where kinds of subagents come from, and what they have. */
export interface SubagentOptions {
  /** Finds kinds of subagents, each time one is wanted. */
  readonly findAgents?: (cwd: string, signal?: AbortSignal) => Promise<readonly AgentDefinition[]>;
  /** Makes a store for subagents if `store` is not given. */
  readonly childStore?: () => AgentStore;
  /** Hooks of its definition, for a subagent that is resumed by its own id. */
  readonly own_hooks?: readonly OwnHooks[];
  /** What a configuration gives the hooks of skills and of kinds of subagents: sandbox, judge, MCP servers. */
  readonly hookSite?: (owner: OwnHooks["owner"]) => Omit<DefinitionSite, "root">;
}

/** What the agent takes from the machine; for tests and for other machines. */
export interface AgentPorts {
  /** For tests. Default: the system clock. */
  readonly clock?: Clock;
  /** Makes ids of messages and turns, for tests. */
  readonly newId?: () => string;
  /** The programs of `.agent/hook.toml`. Default: from the file of the workspace. */
  readonly turnHooks?: TurnHookSource;
}

/** The options that are not in a group. */
interface CommonOptions {
  /** The model that is asked, or its name: `anthropic/claude-sonnet-4-5`. */
  readonly model: ModelChoice;
  /** Default: all tools of `defaultTools()`. */
  readonly tools?: readonly Tool[];
  /** True: a tool that hooks, rules or permissions name and the agent does not have is an error, not a notice. */
  readonly strict?: boolean;
  /** The hooks of every step. Default: none. */
  readonly hooks?: Hooks;
  /** Default: none. */
  readonly system_prompt?: string;
  /** The workspace. Default: the working directory of the process. */
  readonly cwd?: string;
  /** More folders that tools may use, relative to the workspace. */
  readonly workspace?: readonly string[];
  /** Stores the conversation. Without it the conversation lasts as long as the agent. */
  readonly store?: AgentStore;
  /** True: a question that nobody can answer suspends the run; otherwise it is refused. */
  readonly suspend?: boolean;
  /** Kinds of subagents, in addition to those in files. */
  readonly agents?: readonly AgentDefinition[];
  /** What may run without asking. An agent that is made of parts and has none leaves everything to hooks. */
  readonly permissions?: Permissions;
  /** What happens to calls without a rule. Default: the mode of the permissions, else `default`. */
  readonly mode?: PermissionMode;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<AgentLimits>;
  /** The sandbox for Bash and turn hooks; a function is called before each command. Default `off`. */
  readonly sandbox?: SandboxMode | (() => SandboxMode);
  /** Environment of tools and turn hooks, which remove keys and tokens for their processes. Default: the process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Asks the user what AskUserQuestion wants to know. Without it the call fails. */
  readonly askUser?: AskUser;
  /**
   * Asks a human about a call, a plan, a model or a program of a turn, perhaps for a limited time. Without it they are
   * refused, or wait with `suspend`.
   */
  readonly approval?: AskApproval | ApprovalOptions;
  /** Listens as long as the agent lives: also between runs, and to hooks when the session starts and ends. */
  readonly onItem?: ItemListener;
  /**
   * Spans of OpenTelemetry for runs, calls of models and tools, and hooks, which need the package `@opentelemetry/api`.
   * `true`: of the provider that the program has registered. Default: none, and nothing is loaded.
   */
  readonly telemetry?: Telemetry;
}

/** What an agent is made of. */
export interface AgentOptions extends CommonOptions {
  /** More about the model: its settings, fallbacks, prices. */
  readonly models?: ModelOptions;
  /** Ids, a conversation to continue, why it starts. */
  readonly session?: SessionOptions;
  /** Compaction, memory files, skills. */
  readonly context?: ContextSettings;
  /** More about subagents: `agents` names their kinds. */
  readonly subagents?: SubagentOptions;
  /** Clock, ids and programs of turns, for tests. */
  readonly ports?: AgentPorts;
}

/** The same without groups, as the loop reads them. */
export interface AgentParts
  extends CommonOptions,
    ModelOptions,
    SessionOptions,
    ContextSettings,
    SubagentOptions,
    AgentPorts {
  readonly approval?: ApprovalOptions;
  /** Awaited before the first event: adds hooks that take time to load. */
  readonly ready?: () => Promise<unknown>;
  /** Called when the agent was closed, whether or not its session had started. */
  readonly onClosed?: () => void;
}

/** The files whose changes fire MemoryUpdate, when the options name none. */
export const MEMORY_FILES: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/** Defaults of the limits that only agents have. */
export const OWN_LIMITS: OwnLimits = {
  iterations: 100,
  response_seconds: 600,
  model_retries: 4,
  retry_wait_seconds: 60,
  output_retries: 2,
  agent_depth: 3,
  max_concurrency: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
  cost_usd: Number.POSITIVE_INFINITY,
};

export function sourceOf({ source, resume }: SessionOptions): NonNullable<SessionOptions["source"]> {
  return source ?? (resume === undefined ? "startup" : "resume");
}
