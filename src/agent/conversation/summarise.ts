import type { LanguageModelV3CallOptions, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isRecord } from "../../core/base/json.ts";
import { sleep } from "../loop/abort.ts";
import { modelName } from "../model/agent-model.ts";
import { countUsage, inTime, tellsTokens } from "../model/call.ts";
import { modelFailure } from "../model/failure.ts";
import { modelMessage } from "../model/prompt.ts";
import { retryWait } from "../model/retry.ts";
import { type ModelAnswer, wholeAnswer } from "../model/stream.ts";
import { resolveModel } from "../model/switch.ts";
import type { UsageTotals } from "../model/usage.ts";
import { type AgentSession, emit } from "../session/session.ts";
import { type AgentMessage, textOf } from "./messages.ts";
import { assistantMessage } from "./new-message.ts";
import { readMessages } from "./read-messages.ts";
import { SUMMARISE } from "./summary-text.ts";
import { type Moment, tell } from "./tell-compaction.ts";

/** What is summarised, and for whom. */
export interface SummaryPlan extends Moment {
  readonly messages: readonly AgentMessage[];
  /** What the summary must hold, beside what it always holds. */
  readonly wishes: readonly string[];
}

/** Asks the model once. */
type Ask = (signal: AbortSignal) => Promise<ModelAnswer>;

type Prompt = Pick<LanguageModelV3CallOptions, "prompt">;

/**
 * Has a model summarise messages, as a model call like any other: hooks see the request and the answer, it has a deadline,
 * a failure is tried again, and what it used counts.
 *
 * @returns `undefined` when there is no model, it says nothing, or a hook ends it between turns.
 * @throws TurnEnded when a hook ends the run; ModelFailure when no answer came; the reason of the signal.
 */
export async function summarise(session: AgentSession, plan: SummaryPlan): Promise<string | undefined> {
  const { model: chosen } = session.options.compaction ?? {};
  const model = chosen === undefined ? session.model : await resolveModel(session, chosen);
  if (model === undefined) return undefined;
  const system_prompt = [SUMMARISE, ...plan.wishes].join("\n\n");
  const messages = [{ role: "user", content: JSON.stringify(plan.messages) }];
  const request = { model: modelName(model), system_prompt, messages, tools: [], settings: {} };
  const decision = await tell(session, plan, "PreModelRequest", { request });
  if (decision.abort !== undefined) return undefined;
  const started = session.clock.monotonic();
  const sent = promptOf(isRecord(decision.request) ? { ...request, ...decision.request } : request);
  let usage: UsageTotals | undefined;
  const used = (told: LanguageModelV3Usage): void => {
    if (tellsTokens(told)) usage = countUsage(session, plan.turn, modelName(model), told);
  };
  const ask: Ask = (signal) => wholeAnswer(model, sent, signal, used);
  const { parts, finish_reason } = await answered(session, plan.signal, ask);
  const duration_ms = session.clock.monotonic() - started;
  const response = assistantMessage(session, { model: modelName(model), finish_reason, parts });
  await tell(session, plan, "PostModelResponse", {
    response,
    ...(usage === undefined ? {} : { usage }),
    duration_ms,
  });
  const text = textOf(response);
  return text.trim() === "" ? undefined : text;
}

function promptOf({ system_prompt, messages }: Readonly<Record<string, unknown>>): Prompt {
  const list = Array.isArray(messages) ? messages.filter(isRecord).map((message) => ({ ...message })) : [];
  return {
    prompt: [{ role: "system", content: String(system_prompt) }, ...readMessages(list).map(modelMessage)],
  };
}

async function answered(session: AgentSession, signal: AbortSignal, ask: Ask): Promise<ModelAnswer> {
  const { clock, limits } = session;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await inTime(session, signal, ask);
    } catch (error) {
      signal.throwIfAborted();
      const failure = modelFailure(error, clock.now());
      const wait = retryWait(failure, attempt, limits);
      if (wait === undefined) throw failure;
      const { kind: error_type, message } = failure;
      emit(session, { type: "error", error_type, message, retry_in_ms: Math.round(wait) });
      await sleep(wait, signal, clock);
    }
  }
}
