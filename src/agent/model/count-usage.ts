import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { addUsage, type UsageTotals, usageOf } from "./usage.ts";

/** Adds what a model call has used to the totals of its turn and of the session, and tells of them. Answers that of the call. */
export function countUsage(
  session: AgentSession,
  turn: Turn | undefined,
  model: string,
  told: LanguageModelV3Usage,
): UsageTotals {
  const usage = usageOf(told, model, session.parts.price);
  if (turn !== undefined) addUsage(turn.usage, usage);
  addUsage(session.usage, usage);
  if (session.listeners.size > 0) emit(session, { type: "usage", usage: { ...session.usage } });
  return usage;
}

/** False when a provider closes an answer without saying what it used. */
export function tellsTokens({ inputTokens, outputTokens }: LanguageModelV3Usage): boolean {
  return inputTokens.total !== undefined || outputTokens.total !== undefined;
}
