import { createHash } from "node:crypto";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext, RunFacts } from "../../core/ports.ts";
import type { JudgeRequest } from "../../shared/contracts/judge.ts";
import { failingHandler, type HandlerContext, type HandlerSettings } from "../handler.ts";
import { type JudgeModel, judgeModel, spendVerdict } from "./judge-model.ts";
import { compileJudgePrompt, type Question, renderQuestion } from "./prompt.ts";
import { agreementIn, type JudgeEffects, readJudgeReply, VERDICT_SCHEMA } from "./verdict.ts";
import { verdictCache } from "./verdict-cache.ts";

const DEFAULT_CACHE_SECONDS = 300;
/** In characters. A longer request is never shortened: a judge must see all it judges. */
const LONGEST_REQUEST = 400_000;
/** What a judge does only where its definition says so, with the outcome. */
const EFFECTS_OF = [
  ["modify", "rewrite"],
  ["context", "context"],
] as const;

/**
 * A hook that asks a model for a verdict. The prompt is a template; what it takes from the event reaches the model as
 * data, apart from the instructions. The same question is asked once within the cache's time.
 *
 * @throws TenterhookError `bad_rule` for a prompt that can't be read.
 */
export async function llmHandler(
  settings: HandlerSettings<"llm">,
  { site, ports }: HandlerContext,
): Promise<Handler> {
  const questionOf = compileJudgePrompt(settings.prompt, ports.rules);
  const { judges } = ports;
  if (judges === undefined) return failingHandler("llm", "missing", "This hook set was made without models.");
  const judge = await judgeModel(settings, site, judges);
  if (typeof judge === "string") return failingHandler("llm", "missing", judge);
  const cache = verdictCache<{ readonly outcomes: readonly Outcome[]; readonly facts: RunFacts }>(
    settings.cache_seconds ?? site.judge?.cache_seconds ?? DEFAULT_CACHE_SECONDS,
  );
  const problem = await judges.problem(judge);
  const { effects = [] } = settings;
  const more = EFFECTS_OF.filter(([effect]) => effects.includes(effect)).map(([, outcome]) => outcome);
  return {
    type: "llm",
    ...(more.length === 0 ? {} : { effects: more }),
    problem,
    async run(event: AnyEvent, { signal, record }: HookContext): Promise<readonly Outcome[]> {
      const question = questionOf(event);
      const { verdict, cached } = await cache.verdictOn(keyOf(question, judge), signal, async (stop) => {
        const request = requestOf(question, judge, effects, stop);
        spendVerdict(judges, event.session_id, site);
        const { text, usage } = await judges.ask(request);
        // An answer that is no verdict was paid for too.
        if (usage !== undefined) record({ usage });
        return { outcomes: readJudgeReply(text, event, effects), facts: agreementIn(text) };
      });
      record(cached ? { ...verdict.facts, cached } : verdict.facts);
      return verdict.outcomes;
    },
  };
}

function requestOf(
  question: Question,
  judge: JudgeModel,
  effects: JudgeEffects,
  signal: AbortSignal,
): JudgeRequest {
  const { system, prompt } = renderQuestion(question, effects);
  if (system.length + prompt.length > LONGEST_REQUEST) {
    throw new HookFailureError(
      "error",
      `The event is too long for the judge: ${system.length + prompt.length} characters, at most ${LONGEST_REQUEST}.`,
    );
  }
  const request = { ...judge, system, prompt, signal };
  // Providers can't enforce a schema with an object of any keys in it.
  const isVerdict = EFFECTS_OF.every(([effect]) => !effects.includes(effect));
  return isVerdict ? { ...request, schema: VERDICT_SCHEMA } : request;
}

/** The same for the same instructions, values, event and model; the code of a request is left out. */
function keyOf(question: Question, judge: JudgeModel): string {
  return createHash("sha256")
    .update(JSON.stringify([judge, question]))
    .digest("base64");
}
