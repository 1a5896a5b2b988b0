/** What every model call has, that of a summary too: a time limit, and usage that counts. */
import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { ModelFailure } from "../../model/failure.ts";
import { addUsage, type UsageTotals, usageOf } from "../../model/usage.ts";
import { sharedController } from "../session/abort.ts";
import { spend } from "../session/budget.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";

/**
 * Runs a model call that ends with the signal, or when the model takes too long to answer.
 *
 * @throws ModelFailure `response_timeout`; what the call throws; the reason of the signal.
 */
export async function inTime<Result>(
  { clock, limits: { response_seconds } }: AgentSession,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = takeController(signal);
  const cancelTimer = clock.after(response_seconds * 1000, () => {
    const message = `The model took more than ${response_seconds} s to answer.`;
    controller.abort(new ModelFailure("response_timeout", message));
  });
  try {
    return await call(controller.signal);
  } finally {
    cancelTimer();
    if (!controller.signal.aborted) free.set(signal, controller);
  }
}

/** Controllers of finished calls, by the signal that ends them: a controller for each call takes longer than the rest of it. */
const free = new WeakMap<AbortSignal, AbortController>();

function takeController(signal: AbortSignal): AbortController {
  const used = free.get(signal);
  free.delete(signal);
  if (used !== undefined) return used;
  const controller = sharedController();
  signal.addEventListener("abort", () => controller.abort(signal.reason));
  return controller;
}

/** Adds what a model call used to the totals of its turn and of the session. Returns what the call used. */
export function countUsage(
  session: AgentSession,
  turn: Turn | undefined,
  model: string,
  reported: LanguageModelV3Usage,
): UsageTotals {
  const usage = usageOf(reported, model, session.options.price);
  if (turn !== undefined) addUsage(turn.usage, usage);
  // At once for the agents above, too: they may be killed before this one is done.
  for (let one: AgentSession | undefined = session; one !== undefined; one = one.subagents.parent)
    addUsage(one.usage, usage);
  spend(session.spending, usage);
  if (session.listeners.size > 0) emit(session, { type: "usage", usage: { ...session.usage } });
  return usage;
}

/** False when a provider ends an answer without saying what it used. */
export function tellsTokens({ inputTokens, outputTokens }: LanguageModelV3Usage): boolean {
  return inputTokens.total !== undefined || outputTokens.total !== undefined;
}
