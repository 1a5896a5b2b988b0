import { invalidOption } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { isModelChoice, MODEL_MUST } from "../model/agent-model.ts";
import type { Budget } from "../options.ts";
import {
  AMOUNT,
  ANYTHING,
  COUNT,
  checkWhole,
  FLAG,
  FUNCTION,
  having,
  ID,
  shown,
  type ValueRule,
} from "./value-rules.ts";

const RUN_OPTIONS = {
  signal: having("addEventListener", "an AbortSignal"),
  onItem: FUNCTION,
  close: FLAG,
  limits: having(undefined, "an object with tokens or cost_usd"),
  output: ANYTHING,
} as const;

const BUDGET: Readonly<Record<keyof Budget, ValueRule>> = { tokens: AMOUNT, cost_usd: AMOUNT };

const { onItem: _, ...STREAM_OPTIONS } = RUN_OPTIONS;

const ANSWER = {
  tool_use_id: ID,
  ask: COUNT,
  subagent_id: ID,
  approval: ANYTHING,
  answers: ANYTHING,
} as const;

/** What one run takes, and the options that only some methods have. */
const METHODS = {
  run: RUN_OPTIONS,
  stream: STREAM_OPTIONS,
  continue: { ...RUN_OPTIONS, ...ANSWER },
  continueStream: { ...STREAM_OPTIONS, ...ANSWER },
  compact: { signal: RUN_OPTIONS.signal, onItem: RUN_OPTIONS.onItem },
} as const satisfies Readonly<Record<string, Readonly<Record<string, ValueRule>>>>;

/**
 * Refuses unknown options of a method of the agent: a misspelt signal would interrupt nothing.
 *
 * @throws TenterhookError `unknown_option`, `invalid_option`.
 */
export function checkRunOptions(method: keyof typeof METHODS, options: unknown): void {
  const place = `agent.${method}`;
  if (!isRecord(options)) throw invalidOption(`${place}: the options must be an object.`);
  checkWhole(options, METHODS[method], place);
  if (isRecord(options.limits)) checkWhole(options.limits, BUDGET, `${place}: limits`);
}

/** @throws TenterhookError `invalid_option` for an empty text. */
export function checkHookInput(input: unknown): void {
  const { hook, text }: Readonly<Record<string, unknown>> = isRecord(input) ? input : {};
  if (typeof hook !== "string" || hook === "" || typeof text !== "string" || text.trim() === "")
    throw invalidOption("submitHookInput needs hook and text, and neither may be empty.");
}

/** @throws TenterhookError `invalid_option` for what is neither a model nor a name. */
export function checkModel(model: unknown): void {
  if (!isModelChoice(model))
    throw invalidOption(`switchModel: the model is ${shown(model)}; it must be ${MODEL_MUST}.`);
}
