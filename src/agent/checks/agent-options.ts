import { checkKeys } from "../../core/base/check-options.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { type ApprovalOptions, readAgreement } from "../../core/contracts/approval.ts";
import { PERMISSION_MODES, SANDBOX_MODES } from "../../core/contracts/tool.ts";
import { DEFAULT_LIMITS, type Limits } from "../../core/registration/limits.ts";
import type { AgentDefinition } from "../definitions/definition.ts";
import { isModelChoice, MODEL_MUST } from "../model/agent-model.ts";
import {
  type AgentLimits,
  type AgentParts,
  type CompactionSettings,
  OWN_LIMITS,
  type OwnLimits,
} from "../options.ts";
import { isTool } from "../tools/tool.ts";
import {
  AMOUNT,
  ANYTHING,
  COUNT,
  checkWhole,
  FLAG,
  FUNCTION,
  having,
  ID,
  LIST,
  oneOf,
  TEXT,
  TEXTS,
  type ValueRule,
} from "./value-rules.ts";

const MODEL: ValueRule = { must: MODEL_MUST, fits: isModelChoice };
const MODELS: ValueRule = {
  must: `a list, each of it ${MODEL_MUST}`,
  fits: (value) => Array.isArray(value) && value.every(isModelChoice),
};

const TRACER = having("startSpan", "a tracer");

/** Every option, with what its value must be. */
const OPTIONS: Readonly<Record<keyof AgentParts, ValueRule>> = {
  model: MODEL,
  model_name: ANYTHING,
  tools: LIST,
  strict: FLAG,
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
  contextWindow: FUNCTION,
  agents: LIST,
  findAgents: ANYTHING,
  findSkills: FUNCTION,
  own_hooks: LIST,
  hookSite: FUNCTION,
  permissions: ANYTHING,
  mode: oneOf(PERMISSION_MODES),
  limits: ANYTHING,
  rate_limit: {
    must: "an object with a whole number of 1 or more for each model or pattern",
    fits: (value) =>
      isRecord(value) && Object.values(value).every((most) => Number.isInteger(most) && Number(most) >= 1),
  },
  fallback: MODELS,
  model_settings: ANYTHING,
  prompt_caching: FLAG,
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
  askUser: FUNCTION,
  approval: ANYTHING,
  resolveModel: ANYTHING,
  price: ANYTHING,
  turnHooks: FUNCTION,
  onItem: FUNCTION,
  telemetry: {
    must: "true, false or an object with a tracer",
    fits: (value) => typeof value === "boolean" || (isRecord(value) && TRACER.fits(value.tracer)),
  },
  ready: FUNCTION,
  onClosed: FUNCTION,
  clock: ANYTHING,
  newId: ANYTHING,
};

const COMPACTION: Readonly<Record<keyof CompactionSettings, ValueRule>> = {
  threshold_tokens: AMOUNT,
  keep_tokens: AMOUNT,
  model: MODEL,
  instructions: TEXT,
};

const APPROVAL: Readonly<Record<keyof ApprovalOptions, ValueRule>> = {
  ask: FUNCTION,
  timeout: {
    must: "a number of seconds above 0, or such numbers as permission, plan and question",
    fits: (value) => isSeconds(value) || (isRecord(value) && isAnswerTime(value)),
  },
  default: { must: 'a yes or no: true, false, "yes", "no", { allow: … }', fits: isAgreement },
  answers: {
    must: "a string, or strings by question",
    fits: (value) => typeof value === "string" || isRecord(value),
  },
};

function isSeconds(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

const ASKED: readonly string[] = ["permission", "plan", "question"];

function isAnswerTime(value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(value).every(([kind, seconds]) => ASKED.includes(kind) && isSeconds(seconds));
}

function isAgreement(value: unknown): boolean {
  try {
    readAgreement(value, "default");
    return true;
  } catch {
    return false;
  }
}

const DEFINITION: Readonly<Record<keyof AgentDefinition, ValueRule>> = {
  name: TEXT,
  description: TEXT,
  prompt: TEXT,
  model: MODEL,
  tools: TEXTS,
  disallowed_tools: TEXTS,
  read_only: FLAG,
  fork_context: FLAG,
  max_iterations: COUNT,
  hooks: ANYTHING,
  problem: TEXT,
  warnings: TEXTS,
};

/**
 * Refuses unknown options, invalid values and two tools of one name, before the agent works: an invalid mode would guard
 * nothing, and a misspelt key of a definition would leave a tool that it should take away.
 *
 * @throws TenterhookError `unknown_option`, `invalid_option`.
 */
export function checkOptions(options: AgentParts): void {
  checkWhole(options, OPTIONS, "new Agent", ["model"]);
  const { agents = [], approval, compaction, tools = [] } = options;
  for (const [at, definition] of agents.entries())
    checkWhole(definition, DEFINITION, `new Agent: agents[${at}]`, ["name", "description"]);
  if (approval !== undefined) checkWhole(approval, APPROVAL, "new Agent: approval");
  if (compaction !== undefined && compaction !== false)
    checkWhole(compaction, COMPACTION, "new Agent: compaction");
  const names = new Set<string>();
  for (const [at, tool] of tools.entries()) {
    if (!isTool(tool))
      throw invalidOption(`new Agent: tools[${at}] is not a tool: it needs name, input_schema and run.`);
    const { name } = tool;
    if (names.has(name)) throw invalidOption(`new Agent: two tools are called ${JSON.stringify(name)}.`);
    names.add(name);
  }
}

/**
 * The limits of an agent, with defaults. Those of the hook set are not included: they may change while the agent
 * lives.
 *
 * @throws TenterhookError for an unknown limit and for a value that is not a number of 0 or more.
 */
export function agentLimits(given: Partial<AgentLimits> | undefined): {
  readonly limits: OwnLimits;
  readonly hook_limits: Partial<Limits> | undefined;
} {
  const limits: Record<string, unknown> = { ...given };
  checkKeys(limits, [...Object.keys(DEFAULT_LIMITS), ...Object.keys(OWN_LIMITS)], "new Agent: limits");
  const own: Record<string, number> = {};
  const ofHooks: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!(typeof value === "number" && value >= 0))
      throw invalidOption(
        `new Agent: limits: ${name} is ${JSON.stringify(value)}; it must be a number of 0 or more.`,
      );
    (Object.hasOwn(DEFAULT_LIMITS, name) ? ofHooks : own)[name] = value;
  }
  return {
    limits: { ...OWN_LIMITS, ...own },
    hook_limits: Object.keys(ofHooks).length === 0 ? undefined : ofHooks,
  };
}
