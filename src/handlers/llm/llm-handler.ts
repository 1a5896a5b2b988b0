import { createHash } from "node:crypto";
import { TenterhookError } from "../../core/base/errors.ts";
import type { JudgeRequest } from "../../core/contracts/judge.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import type { HandlerSetting, HandlerSettings } from "../handler-types.ts";
import { spend } from "./budget.ts";
import { compileJudgePrompt, type Question, renderQuestion } from "./judge-prompt.ts";
import { readVerdict, VERDICT_SCHEMA } from "./verdict.ts";
import { verdictCache } from "./verdict-cache.ts";

const DEFAULT_CACHE_SECONDS = 300;
const DEFAULT_BUDGET = 200;
/** The longest request, in characters. What is longer is not shortened: a judge must see all it judges. */
const LONGEST_REQUEST = 400_000;

/** A model and where it is. */
type Model = Pick<JudgeRequest, "model" | "base_url" | "root">;

/**
 * A hook that asks a model for a verdict. The prompt is a template; what it takes from the event reaches the model as
 * data, apart from the instructions. The same question is asked once within the cache's time.
 *
 * @throws TenterhookError for a prompt that is missing or can't be read, or a setting with a value it can't have.
 */
export async function llmHandler(
  settings: HandlerSettings,
  { site, ports }: HandlerSetting,
): Promise<Handler> {
  const { prompt, base_url, model, cache_seconds } = checkedSettings(settings);
  const questionOf = compileJudgePrompt(prompt, ports.rules);
  const { judges } = ports;
  const named = model ?? site.judge?.model;
  if (judges === undefined || named === undefined)
    return failing(
      judges === undefined
        ? "This hook set was made without models."
        : "No model is named: give the hook a model, or set models.judge.",
    );
  const judge: Model = { model: named, root: site.root, ...(base_url === undefined ? {} : { base_url }) };
  const budget = site.judge?.budget ?? DEFAULT_BUDGET;
  const cache = verdictCache<readonly Outcome[]>(
    cache_seconds ?? site.judge?.cache_seconds ?? DEFAULT_CACHE_SECONDS,
  );
  const problem = await judges.problem(judge);
  return {
    type: "llm",
    ...(problem === undefined ? {} : { problem }),
    async run(event: AnyEvent, { signal, record }: HookContext): Promise<readonly Outcome[]> {
      const question = questionOf(event);
      const { verdict, cached } = await cache.verdictOn(keyOf(question, judge), signal, async (stop) => {
        const request = requestOf(question, judge, stop);
        spend(judges, event.session_id, budget);
        const { text, usage } = await judges.ask(request);
        // An answer that is no verdict was paid for too.
        if (usage !== undefined) record({ usage });
        return readVerdict(text, event);
      });
      if (cached) record({ cached });
      return verdict;
    },
  };
}

function requestOf(question: Question, judge: Model, signal: AbortSignal): JudgeRequest {
  const { system, prompt } = renderQuestion(question);
  if (system.length + prompt.length > LONGEST_REQUEST) {
    throw new HookFailureError(
      "error",
      `The event is too long for the judge: ${system.length + prompt.length} characters, at most ${LONGEST_REQUEST}.`,
    );
  }
  return { ...judge, system, prompt, schema: VERDICT_SCHEMA, signal };
}

/** The same for the same instructions, values, event and model; the code of a request is no part of it. */
function keyOf(question: Question, judge: Model): string {
  return createHash("sha256")
    .update(JSON.stringify([judge, question]))
    .digest("base64");
}

function failing(problem: string): Handler {
  return {
    type: "llm",
    problem,
    run: () => {
      throw new HookFailureError("missing", problem);
    },
  };
}

interface LlmSettings {
  readonly prompt: string;
  readonly model: string | undefined;
  readonly base_url: string | undefined;
  readonly cache_seconds: number | undefined;
}

function checkedSettings({ prompt, model, base_url, cache_seconds }: HandlerSettings): LlmSettings {
  if (typeof prompt !== "string" || prompt.trim() === "")
    throw new TenterhookError(
      "invalid_definition",
      "An llm hook requires 'prompt': what the judge is to decide.",
    );
  if (cache_seconds !== undefined && !(typeof cache_seconds === "number" && cache_seconds >= 0))
    throw new TenterhookError("invalid_option", "cache_seconds must be a number of seconds of 0 or more.");
  return { prompt, model: textOf(model, "model"), base_url: textOf(base_url, "base_url"), cache_seconds };
}

function textOf(value: unknown, key: string): string | undefined {
  if (value === undefined || (typeof value === "string" && value.trim() !== "")) return value;
  throw new TenterhookError("invalid_option", `${key} must be a text that is not blank.`);
}
