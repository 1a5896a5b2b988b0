import { errorMessage } from "../../core/base/error-text.ts";
import { TurnEnded } from "../loop/turn-ended.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import { keep } from "./append.ts";
import { reachOf, type Summary } from "./compacted.ts";
import { cutAt } from "./cut-at.ts";
import type { AgentMessage } from "./messages.ts";
import { userMessage } from "./new-message.ts";
import { type SummaryPlan, summarise } from "./summarise.ts";
import { summaryText } from "./summary-text.ts";
import { type Moment, tell } from "./tell-compaction.ts";

const DEFAULT_THRESHOLD = 150_000;
const DEFAULT_KEPT = 10;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Shortens the conversation before a round, when it has become too long.
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
 * Has a summary take the place of everything but the last messages. The transcript keeps all of them. False when hooks
 * refuse, there is nothing to shorten, or no summary could be made; then nothing is changed.
 *
 * @throws TurnEnded when a hook ends the run or the store failed; the reason of the signal.
 */
export async function compact(
  session: AgentSession,
  trigger: "auto" | "manual",
  moment: Moment,
): Promise<boolean> {
  const { conversation, options } = session;
  const { keep_messages = DEFAULT_KEPT, instructions } = options.compaction ?? {};
  const seen = conversation.seen();
  const cut = cutAt(seen, keep_messages);
  const summarised = seen.slice(0, cut);
  const summary_until = reachOf(summarised, (message) => conversation.keeps(message));
  if (cut < 2 || summary_until === undefined) return false;
  const token_count = session.compaction.tokens || tokensIn(seen);
  const decision = await tell(session, moment, "PreCompact", {
    trigger,
    token_count,
    ...(instructions === undefined ? {} : { custom_instructions: instructions }),
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
    // It belongs to the turn it follows, and begins none.
    turn_id: moment.turn?.id ?? conversation.last?.turn_id ?? "",
    summary_until,
  };
  conversation.compact(message, summarised);
  if (options.store !== undefined) await keep(session, options.store, message);
  else emit(session, { type: "message", message });
  const tokens_after = tokensIn(conversation.seen());
  session.compaction.tokens = tokens_after;
  session.compaction.refused_at = 0;
  await tell(session, moment, "PostCompact", { trigger, summary, tokens_before: token_count, tokens_after });
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
