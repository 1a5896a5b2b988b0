import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { checkKeys } from "../core/base/check-options.ts";
import type { Clock } from "../core/base/clock.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { frozenCopy, isRecord } from "../core/base/json.ts";
import { capText } from "../core/base/text.ts";
import {
  PERMISSION_MODES,
  type PermissionMode,
  SANDBOX_MODES,
  type SandboxMode,
  type Tool,
} from "../core/contracts/tool.ts";
import type { Transcript } from "../core/contracts/transcript.ts";
import type { Hooks } from "../core/hooks.ts";
import { DEFAULT_LIMITS, type Limits } from "../core/registration/limits.ts";
import type { AgentStore, Approve, AskUser, Permissions } from "./contracts.ts";
import type { AgentMessage } from "./conversation/messages.ts";
import type { ItemListener } from "./items.ts";
import type { AgentModel, ModelChoice } from "./model/agent-model.ts";
import type { Price } from "./model/usage.ts";
import type { AgentDefinition } from "./subagents/definition.ts";
import type { TurnHookSource } from "./turn-programs/types.ts";

/** Limits of an agent. Those that hook sets have too override the set's. */
export interface AgentLimits extends Limits {
  /** Rounds of one turn, Stop continuations included; then comes one last answer without tools. */
  readonly iterations: number;
  /** How long one answer of the model may take. */
  readonly response_seconds: number;
  /** How often a failed model call is retried. */
  readonly model_retries: number;
  /** The longest pause before a retry; a provider that asks for more counts as failed. */
  readonly retry_wait_seconds: number;
  /** How many levels of agents there may be, the first included. */
  readonly agent_depth: number;
}

export type OwnLimits = Omit<AgentLimits, keyof Limits>;

/** Settings of every model request. */
export type ModelSettings = Pick<
  LanguageModelV3CallOptions,
  "maxOutputTokens" | "temperature" | "topP" | "stopSequences" | "providerOptions" | "headers"
>;

/** When and how a conversation is shortened. */
export interface CompactionSettings {
  /** Shorten when the model was sent more tokens than this, by its own count. Default 150,000. */
  readonly threshold_tokens?: number;
  /** How many of the last messages stay as they are. Default 10. */
  readonly keep_messages?: number;
  /** Writes the summary. Default: the agent's own model. */
  readonly model?: ModelChoice;
  /** What the summary must hold, in addition to what it always holds. */
  readonly instructions?: string;
}

/** What an agent is made of. */
export interface AgentOptions {
  /** The model that is asked, or its name: `anthropic/claude-sonnet-4-5`. */
  readonly model: ModelChoice;
  /** The name that opens the model again, if a model itself is given; stored with the transcript. */
  readonly model_name?: string;
  /** Default: all tools of `defaultTools()`. */
  readonly tools?: readonly Tool[];
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
  /** Makes a store for subagents if `store` is not given. */
  readonly childStore?: () => AgentStore;
  /** A stored conversation to continue, under its own ids. */
  readonly resume?: Transcript;
  /** True: a question that nobody can answer suspends the run; otherwise it is refused. */
  readonly suspend?: boolean;
  /** Fires a Checkpoint event after so many messages within a turn, in addition to the one at its end. */
  readonly checkpoint_messages?: number;
  /** Shortens what the model sees when it gets long; the transcript keeps everything. */
  readonly compaction?: CompactionSettings;
  /** Kinds of subagents, in addition to those in files. */
  readonly agents?: readonly AgentDefinition[];
  /** Finds kinds of subagents, each time one is wanted. */
  readonly findAgents?: (cwd: string, signal?: AbortSignal) => Promise<readonly AgentDefinition[]>;
  /** What may run without asking. Without it, and without a mode, hooks alone decide. */
  readonly permissions?: Permissions;
  /** What happens to calls without a rule. Default: the mode of the permissions, else `default`. */
  readonly mode?: PermissionMode;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<AgentLimits>;
  /** Models to use, in order, when the current one fails for good. */
  readonly fallback?: readonly ModelChoice[];
  /** Temperature, longest answer, options of the provider and headers of every request. */
  readonly model_settings?: ModelSettings;
  /** The sandbox for Bash and turn hooks; a function is called before each command. Default `off`. */
  readonly sandbox?: SandboxMode | (() => SandboxMode);
  /** Environment of tools and turn hooks, which remove keys and tokens for their processes. Default: the process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Files whose changes fire MemoryUpdate, relative to the workspace. Default: AGENTS.md and CLAUDE.md. */
  readonly memory_files?: readonly string[];
  /** Default: a new one. */
  readonly session_id?: string;
  /** Default: the id of the session. */
  readonly agent_id?: string;
  /** The name for matchers (`agents`). Default `main`. */
  readonly agent_type?: string;
  /** The agent that started this one, if it is a subagent. */
  readonly parent_agent_id?: string;
  /** The transcript path in events. Default: that of the store. */
  readonly transcript_path?: string;
  /** A conversation to begin with. */
  readonly transcript?: readonly AgentMessage[];
  /** Why the session starts, for SessionStart hooks. Default `startup`, or `resume`. */
  readonly source?: "startup" | "resume" | "clear" | "compact" | "fork";
  /** Passed to SessionStart and ModelSwitch hooks. */
  readonly profile?: string;
  /** Passed to SessionStart hooks. */
  readonly config?: unknown;
  /** Asks a human about a call, a plan, a model or a program of a turn. Without it they are refused. */
  readonly approve?: Approve;
  /** Asks the user what AskUserQuestion wants to know. Without it the call fails. */
  readonly askUser?: AskUser;
  /** Finds a model by its name. Default of `tenterhook/agent`: `openModel`. */
  readonly resolveModel?: (name: string) => AgentModel | Promise<AgentModel>;
  /** What a model call costs. Default: by list prices. */
  readonly price?: Price;
  /** The programs of `.agent/hook.toml`. Default: from the file of the workspace. */
  readonly turnHooks?: TurnHookSource;
  /** Listens as long as the agent lives: also between runs, and to hooks when the session starts and ends. */
  readonly onItem?: ItemListener;
  /** For tests. Default: the system clock. */
  readonly clock?: Clock;
  /** Makes ids of messages and turns, for tests. */
  readonly newId?: () => string;
}

interface ValueRule {
  readonly must: string;
  readonly fits: (value: unknown) => boolean;
}

/** A value that is not checked here. */
const ANYTHING: ValueRule = { must: "", fits: () => true };
const TEXT: ValueRule = { must: "a string", fits: (value) => typeof value === "string" };
const ID: ValueRule = {
  must: "a string that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};
const TEXTS: ValueRule = {
  must: "a list of texts",
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const LIST: ValueRule = { must: "a list", fits: Array.isArray };
const FUNCTION: ValueRule = { must: "a function", fits: (value) => typeof value === "function" };
const FLAG: ValueRule = { must: "true or false", fits: (value) => typeof value === "boolean" };
const COUNT: ValueRule = {
  must: "a whole number of 1 or more",
  fits: (value) => Number.isInteger(value) && Number(value) >= 1,
};
const AMOUNT: ValueRule = {
  must: "a number of 0 or more",
  fits: (value) => typeof value === "number" && value >= 0,
};
const MODEL: ValueRule = {
  must: "a language model or its name",
  fits: (value) => typeof value === "string" || isRecord(value),
};

/** Every option, with what its value must be. */
const OPTIONS: Readonly<Record<keyof AgentOptions, ValueRule>> = {
  model: MODEL,
  model_name: ANYTHING,
  tools: LIST,
  hooks: having("fire", "a hook set, made by createHooks"),
  system_prompt: TEXT,
  cwd: TEXT,
  workspace: TEXTS,
  store: having("append", "a store, with append"),
  childStore: ANYTHING,
  resume: ANYTHING,
  suspend: FLAG,
  checkpoint_messages: COUNT,
  compaction: ANYTHING,
  agents: LIST,
  findAgents: ANYTHING,
  permissions: ANYTHING,
  mode: oneOf(PERMISSION_MODES),
  limits: ANYTHING,
  fallback: LIST,
  model_settings: ANYTHING,
  sandbox: oneOf(SANDBOX_MODES, FUNCTION),
  environment: ANYTHING,
  memory_files: TEXTS,
  session_id: ID,
  agent_id: ID,
  agent_type: ID,
  parent_agent_id: ID,
  transcript_path: ANYTHING,
  transcript: ANYTHING,
  source: oneOf(["startup", "resume", "clear", "compact", "fork"]),
  profile: ANYTHING,
  config: ANYTHING,
  approve: FUNCTION,
  askUser: FUNCTION,
  resolveModel: ANYTHING,
  price: ANYTHING,
  turnHooks: FUNCTION,
  onItem: FUNCTION,
  clock: ANYTHING,
  newId: ANYTHING,
};

const COMPACTION: Readonly<Record<keyof CompactionSettings, ValueRule>> = {
  threshold_tokens: AMOUNT,
  keep_messages: AMOUNT,
  model: MODEL,
  instructions: TEXT,
};

const DEFINITION: Readonly<Record<keyof AgentDefinition, ValueRule>> = {
  name: TEXT,
  description: TEXT,
  prompt: TEXT,
  model: MODEL,
  tools: TEXTS,
  disallowed_tools: TEXTS,
  max_iterations: COUNT,
  problem: TEXT,
  warnings: TEXTS,
};

/** Defaults of the limits that only agents have. */
export const OWN_LIMITS: OwnLimits = {
  iterations: 100,
  response_seconds: 600,
  model_retries: 4,
  retry_wait_seconds: 60,
  agent_depth: 3,
};

/**
 * Refuses unknown options, invalid values and two tools of one name, before the agent works: an invalid mode would guard
 * nothing, and a misspelt key of a definition would leave a tool that it should take away.
 *
 * @throws TenterhookError `unknown_option`, `invalid_option`.
 */
export function checkOptions(options: AgentOptions): void {
  checkWhole(options, OPTIONS, "new Agent", ["model"]);
  const { agents = [], compaction, tools = [] } = options;
  for (const [at, definition] of agents.entries())
    checkWhole(definition, DEFINITION, `new Agent: agents[${at}]`, ["name", "description"]);
  if (compaction !== undefined) checkWhole(compaction, COMPACTION, "new Agent: compaction");
  const names = new Set<string>();
  for (const [at, tool] of tools.entries()) {
    if (!isTool(tool))
      throw invalid(`new Agent: tools[${at}] is not a tool: it needs name, input_schema and run.`);
    const { name } = tool;
    if (names.has(name)) throw invalid(`new Agent: two tools are called ${JSON.stringify(name)}.`);
    names.add(name);
  }
}

function isTool(tool: unknown): boolean {
  if (!isRecord(tool)) return false;
  return typeof tool.name === "string" && isRecord(tool.input_schema) && typeof tool.run === "function";
}

export function sourceOf({ source, resume }: AgentOptions): NonNullable<AgentOptions["source"]> {
  return source ?? (resume === undefined ? "startup" : "resume");
}

interface GivenLimits {
  readonly limits: OwnLimits;
  /** `undefined`: those of the hook set apply, as they are at each event. */
  readonly hook_limits: Partial<Limits> | undefined;
}

/**
 * The limits of an agent, with defaults. Those of the hook set are not included: they may change while the agent
 * lives.
 *
 * @throws TenterhookError for an unknown limit and for a value that is not a number of 0 or more.
 */
export function agentLimits(given: Partial<AgentLimits> | undefined): GivenLimits {
  const limits: Record<string, unknown> = { ...given };
  checkKeys(limits, [...Object.keys(DEFAULT_LIMITS), ...Object.keys(OWN_LIMITS)], "new Agent: limits");
  const own: Record<string, number> = {};
  const ofHooks: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!(typeof value === "number" && value >= 0))
      throw invalid(
        `new Agent: limits: ${name} is ${JSON.stringify(value)}; it must be a number of 0 or more.`,
      );
    (Object.hasOwn(DEFAULT_LIMITS, name) ? ofHooks : own)[name] = value;
  }
  return {
    limits: { ...OWN_LIMITS, ...own },
    hook_limits: Object.keys(ofHooks).length === 0 ? undefined : ofHooks,
  };
}

function checkWhole(
  value: object,
  rules: Readonly<Record<string, ValueRule>>,
  place: string,
  required: readonly string[] = [],
): void {
  checkKeys(value, Object.keys(rules), place);
  const values: Readonly<Record<string, unknown>> = { ...value };
  const missing = required.find((name) => values[name] === undefined);
  if (missing !== undefined)
    throw invalid(`${place}: ${missing} is missing; it must be ${rules[missing]?.must}.`);
  for (const [name, { must, fits }] of Object.entries(rules)) {
    const value = values[name];
    if (value === undefined || fits(value)) continue;
    const shown = capText(JSON.stringify(frozenCopy(value)) ?? String(value), 100);
    throw invalid(`${place}: ${name} is ${shown}; it must be ${must}.`);
  }
}

function oneOf(names: readonly string[], other?: ValueRule): ValueRule {
  const all = other === undefined ? names : [...names, other.must];
  const must = `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
  return {
    must,
    fits: (value) => (typeof value === "string" && names.includes(value)) || other?.fits(value) === true,
  };
}

function having(method: string, must: string): ValueRule {
  return { must, fits: (value) => isRecord(value) && typeof value[method] === "function" };
}

function invalid(message: string): TenterhookError {
  return new TenterhookError("invalid_option", message);
}
