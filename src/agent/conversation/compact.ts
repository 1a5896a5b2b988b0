import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import type { Message } from "../../core/events/payloads.ts";
import { TurnEnded } from "../loop/turn-ended.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { storeMessage } from "./append.ts";
import type { Conversation } from "./conversation.ts";
import { type AgentMessage, isSummary, type Summary } from "./messages.ts";
import { userMessage } from "./new-message.ts";
import { fireNow, type Moment, type SummaryPlan, summarise, summaryText } from "./summarise.ts";

const DEFAULT_THRESHOLD = 150_000;
const DEFAULT_LAST_MESSAGES = 10;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Shortens the conversation before a model call when it has become too long.
 *
 * @throws TurnEnded when a hook ends the run, the turn is interrupted or the store failed.
 */
export async function compactIfLong(session: AgentSession, turn: Turn): Promise<void> {
  const { compaction: settings } = session.options;
  const { tokens, refused_at } = session.compaction;
  if (settings === undefined || tokens <= (settings.threshold_tokens ?? DEFAULT_THRESHOLD)) return;
  if (tokens < refused_at * 1.1 || !session.conversation.shownAsIs) return;
  if (!(await compact(session, "auto", { turn, signal: turn.signal })))
    session.compaction.refused_at = tokens;
}

/**
 * Replaces everything but the last messages with a summary. The transcript keeps all messages. Returns false, and changes
 * nothing, when hooks refuse, there is nothing to shorten, or the summary failed.
 *
 * @throws TurnEnded when a hook ends the run or the store failed; the reason of the signal.
 */
export async function compact(
  session: AgentSession,
  trigger: "auto" | "manual",
  moment: Moment,
): Promise<boolean> {
  const { conversation, options } = session;
  const { keep_messages = DEFAULT_LAST_MESSAGES, instructions } = options.compaction ?? {};
  const seen = conversation.seen();
  const cut = cutAt(seen, keep_messages);
  const summarised = seen.slice(0, cut);
  const summary_until = lastStored(summarised, conversation);
  if (cut < 2 || summary_until === undefined) return false;
  const token_count = session.compaction.tokens || tokensIn(seen);
  const decision = await fireNow(session, moment, "PreCompact", {
    trigger,
    token_count,
    ...withoutUndefined({ custom_instructions: instructions }),
  });
  moment.signal.throwIfAborted();
  if (decision.action === "deny" || decision.abort !== undefined) return false;
  const wishes = [instructions ?? "", ...decision.context.map(({ text }) => text)].filter(
    (text) => text !== "",
  );
  const summary = await summaryOf(session, { ...moment, messages: summarised, wishes });
  if (summary === undefined) return false;
  const message: Summary = {
    ...userMessage(session, "runtime", [{ type: "text", text: summaryText(summary) }]),
    // It belongs to the turn before it and does not begin one.
    turn_id: moment.turn?.id ?? conversation.last?.turn_id ?? "",
    summary_until,
  };
  conversation.compact(message, summarised);
  await storeMessage(session, message);
  const tokens_after = tokensIn(conversation.seen());
  session.compaction.tokens = tokens_after;
  session.compaction.refused_at = 0;
  await fireNow(session, moment, "PostCompact", {
    trigger,
    summary,
    tokens_before: token_count,
    tokens_after,
  });
  return true;
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

function tokensIn(messages: readonly AgentMessage[]): number {
  return Math.ceil(JSON.stringify(messages).length / CHARACTERS_PER_TOKEN);
}

/**
 * Where to cut a conversation so that about this many of its last messages stay. It does not separate results from their
 * calls, and calls without a result stay.
 */
export function cutAt(messages: readonly Message[], lastMessages: number): number {
  let cut = Math.max(0, messages.length - lastMessages);
  while (cut > 0 && (messages[cut]?.role === "tool" || hasCalls(messages[cut - 1]))) cut -= 1;
  return cut;
}

function hasCalls(message: Message | undefined): boolean {
  const parts: unknown = message?.parts;
  return Array.isArray(parts) && parts.some((part) => isRecord(part) && part.type === "tool_call");
}

/** The id of the last of these messages that the transcript has: a summary can only refer to that. */
function lastStored(messages: readonly AgentMessage[], conversation: Conversation): string | undefined {
  const last = messages.findLast((message) => !isSummary(message) && conversation.has(message));
  return last?.id ?? messages.find(isSummary)?.summary_until;
}
