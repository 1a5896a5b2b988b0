import { checkKeys } from "../core/base/check-options.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { frozenCopy, isRecord } from "../core/base/json.ts";
import { capText } from "../core/base/text.ts";
import { PERMISSION_MODES, SANDBOX_MODES } from "../core/contracts/tool.ts";
import type { CompactionSettings } from "./conversation/compact.ts";
import type { AgentOptions } from "./options.ts";
import type { AgentDefinition } from "./subagents/definition.ts";

/** What a value must be, in words, and whether it is that. */
interface ValueRule {
  readonly must: string;
  readonly fits: (value: unknown) => boolean;
}

const SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const satisfies readonly NonNullable<
  AgentOptions["source"]
>[];

const TEXT: ValueRule = { must: "a text", fits: (value) => typeof value === "string" };
const ID: ValueRule = {
  must: "a text that is not empty",
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

/** What the values of options must be, where a wrong one would go unnoticed or be told much later. */
const OPTIONS: Readonly<Partial<Record<keyof AgentOptions, ValueRule>>> = {
  mode: oneOf(PERMISSION_MODES),
  sandbox: oneOf(SANDBOX_MODES, FUNCTION),
  source: oneOf(SOURCES),
  cwd: TEXT,
  session_id: ID,
  agent_id: ID,
  agent_type: ID,
  parent_agent_id: ID,
  system_prompt: TEXT,
  workspace: TEXTS,
  memory_files: TEXTS,
  tools: LIST,
  fallback: LIST,
  agents: LIST,
  suspend: FLAG,
  checkpoint_messages: COUNT,
  approve: FUNCTION,
  askUser: FUNCTION,
  onItem: FUNCTION,
  turnHooks: FUNCTION,
  hooks: having("fire", "a hook set, made by createHooks"),
  store: having("append", "a store, with append"),
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

/**
 * Refuses options with values they can't have, before the agent works: a mode that is none would guard nothing.
 *
 * @throws TenterhookError `invalid_option`, `unknown_option`.
 */
export function checkValues(options: AgentOptions): void {
  check({ ...options }, OPTIONS, "new Agent");
  const { agents = [], compaction } = options;
  // What a definition takes away must not stay because its key is misspelt.
  for (const [at, definition] of agents.entries())
    checkWhole(definition, DEFINITION, `new Agent: agents[${at}]`, ["name", "description"]);
  if (compaction !== undefined) checkWhole(compaction, COMPACTION, "new Agent: compaction");
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
    throw new TenterhookError(
      "invalid_option",
      `${place}: ${missing} is missing; it must be ${rules[missing]?.must}.`,
    );
  check(values, rules, place);
}

function check(
  values: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, ValueRule>>,
  place: string,
): void {
  for (const [name, { must, fits }] of Object.entries(rules)) {
    const value = values[name];
    if (value === undefined || fits(value)) continue;
    const shown = capText(JSON.stringify(frozenCopy(value)) ?? String(value), 100);
    throw new TenterhookError("invalid_option", `${place}: ${name} is ${shown}; it must be ${must}.`);
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
