import { errorMessage } from "../../../core/base/error-text.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { tokensIn } from "../../messages/message-tokens.ts";
import { type AgentMessage, isSummary, type Summary } from "../../messages/messages.ts";
import { plainSummary } from "../../messages/shorten.ts";
import { TurnEnded } from "../../turn-ended.ts";
import { storeMessage, userMessage } from "../session/append.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { cutAt, keptTokens, noteTokens, thresholdOf, tokensNow } from "../session/tokens.ts";
import { fireNow, type Moment, type SummaryPlan, summarise, summaryText } from "./summarise.ts";

/** A conversation must have grown by this share of the threshold since the last summary before the next one. */
const LEAST_GROWTH = 0.1;

/** A single message is worth a summary from so many tokens on. */
const LONG_MESSAGE = 2000;

/** As long as a summary itself. */
const SHORT_MESSAGES = 200;

const PLAIN_SUMMARY_CHARACTERS = 8000;

/**
 * Shortens the conversation before a model call when it has become too long.
 *
 * @throws TurnEnded when a hook ends the run, the turn is interrupted or the store failed.
 */
export async function compactIfLong(turn: Turn): Promise<void> {
  const { session } = turn;
  const threshold = thresholdOf(session);
  if (threshold === Number.POSITIVE_INFINITY) return;
  const { compaction, conversation } = session;
  const tokens = tokensNow(session);
  if (tokens <= threshold || tokens < compaction.refused_at * 1.1 || !conversation.shownAsIs) return;
  // A second summary would summarise the first.
  const { floor } = compaction;
  if (floor === "next answer" || (floor !== undefined && tokens < floor + threshold * LEAST_GROWTH)) return;
  await compact(session, "auto", { turn, signal: turn.signal });
}

/**
 * Replaces everything but the last messages with a summary. The transcript keeps all messages. Returns false, and changes
 * nothing, when hooks refuse, there is nothing to shorten, or the summary failed.
 *
 * @param options.keep about how many tokens of the last messages stay.
 * @param options.forced true when the model refuses what it is sent: then a summary without a model is better than none.
 * @throws TurnEnded when a hook ends the run or the store failed; the reason of the signal.
 */
export async function compact(
  session: AgentSession,
  trigger: "auto" | "manual",
  moment: Moment,
  { keep = keptTokens(session), forced = false }: { readonly keep?: number; readonly forced?: boolean } = {},
): Promise<boolean> {
  const { conversation, options } = session;
  const { instructions } = options.compaction === false ? {} : (options.compaction ?? {});
  const seen = conversation.seen();
  const summarised = seen.slice(0, cutAt(seen, keep));
  const summary_until = lastStored(summarised, conversation);
  if (summary_until === undefined || !isWorthIt(summarised, forced)) return false;
  const token_count = tokensNow(session);
  const decision = await fireNow(session, moment, "PreCompact", {
    trigger,
    token_count,
    custom_instructions: instructions,
  });
  moment.signal.throwIfAborted();
  // Until the conversation has grown, neither hooks nor the model are asked again.
  session.compaction.refused_at = token_count;
  if (decision.action === "deny" || decision.abort !== undefined) return false;
  const wishes = [instructions ?? "", ...decision.context.map(({ text }) => text)].filter(
    (text) => text !== "",
  );
  const summary =
    (await summaryOf(session, { ...moment, messages: summarised, wishes })) ??
    (forced ? plainSummary(summarised, PLAIN_SUMMARY_CHARACTERS) : undefined);
  if (summary === undefined) return false;
  const message: Summary = {
    ...userMessage(session, "runtime", [{ type: "text", text: summaryText(summary) }]),
    // It belongs to the turn before it and does not begin one.
    turn_id: moment.turn?.id ?? conversation.last?.turn_id ?? "",
    summary_until,
  };
  conversation.compact(message, summarised);
  await storeMessage(session, message);
  const tokens_after = conversation.tokens();
  noteTokens(session, 0);
  session.compaction.refused_at = 0;
  session.compaction.floor = "next answer";
  await fireNow(session, moment, "PostCompact", {
    trigger,
    summary,
    tokens_before: token_count,
    tokens_after,
  });
  return true;
}

/** A summary must replace more than a summary and a short message. What a model refused as too long is not short. */
function isWorthIt(messages: readonly AgentMessage[], forced: boolean): boolean {
  const fresh = messages.filter((message) => !isSummary(message));
  if (forced) return tokensIn(fresh) > SHORT_MESSAGES;
  return fresh.length >= 2 || tokensIn(fresh) > LONG_MESSAGE;
}

async function summaryOf(session: AgentSession, plan: SummaryPlan): Promise<string | undefined> {
  try {
    return await summarise(session, plan);
  } catch (error) {
    plan.signal.throwIfAborted();
    if (error instanceof TurnEnded && plan.turn !== undefined) throw error;
    const message = `The conversation could not be shortened: ${errorMessage(error)}`;
    emit(session, { type: "notice", text: message, level: "warning" });
    return undefined;
  }
}

/** The id of the last of these messages that the transcript has: a summary can only refer to that. */
function lastStored(messages: readonly AgentMessage[], conversation: Conversation): string | undefined {
  const last = messages.findLast((message) => !isSummary(message) && conversation.has(message));
  return last?.id ?? messages.find(isSummary)?.summary_until;
}
