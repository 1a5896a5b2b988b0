import { isRecord } from "../../../core/base/json.ts";
import type { Message } from "../../../core/events/payloads.ts";
import { contextLeft } from "../../../shared/context-left.ts";
import { tokensIn } from "../../messages/message-tokens.ts";
import { modelName } from "../../model/agent-model.ts";
import type { AgentSession } from "./session.ts";

/** The rest of the window is for the answer and for large tool results. */
const SHARE_OF_WINDOW = 0.75;

/** Used when the window of the model is unknown. */
const DEFAULT_THRESHOLD = 100_000;

/** The part of the threshold that stays as it is. */
const KEPT_SHARE = 0.2;

/** About as many tokens as the next request has: what the model counted last, and what was added since. */
export function tokensNow({ compaction, conversation }: AgentSession): number {
  const { tokens } = compaction;
  return tokens === 0 ? conversation.tokens() : tokens + conversation.tokensSinceAnswer();
}

/** Notes how many tokens the model has counted, and how full they leave its context. */
export function noteTokens({ compaction, options, model }: AgentSession, tokens: number): void {
  const window = model === undefined ? undefined : options.contextWindow?.(modelName(model));
  compaction.tokens = tokens;
  compaction.context = tokens === 0 ? {} : contextLeft(tokens, window);
}

/** The number of tokens above which a conversation is shortened. */
export function thresholdOf({ options, model, compaction }: AgentSession): number {
  if (options.compaction === false) return Number.POSITIVE_INFINITY;
  const window = model === undefined ? undefined : options.contextWindow?.(modelName(model));
  const usual = window === undefined ? DEFAULT_THRESHOLD : Math.floor(window * SHARE_OF_WINDOW);
  return Math.min(options.compaction?.threshold_tokens ?? usual, compaction.learned);
}

/**
 * How many tokens of the last messages stay, by our own estimate: less when the model counts more than we do.
 */
export function keptTokens(session: AgentSession): number {
  const { compaction } = session.options;
  const given = compaction === false ? undefined : compaction?.keep_tokens;
  const threshold = thresholdOf(session);
  const wanted =
    given ?? (Number.isFinite(threshold) ? threshold * KEPT_SHARE : DEFAULT_THRESHOLD * KEPT_SHARE);
  const estimated = session.conversation.tokens();
  return estimated === 0 ? wanted : wanted / Math.max(1, tokensNow(session) / estimated);
}

/**
 * Where to cut a conversation so that the last messages with about so many tokens stay: at least the last one, unless the
 * number is 0. It does not separate results from their calls, and calls without a result stay.
 */
export function cutAt(messages: readonly Message[], tokens: number): number {
  let cut = messages.length;
  let left = tokens;
  for (let at = cut - 1; at >= 0 && tokens > 0; at -= 1) {
    const message = messages[at];
    left -= message === undefined ? 0 : tokensIn([message]);
    if (left < 0 && cut < messages.length) break;
    cut = at;
    if (left < 0) break;
  }
  // The user's last message is not summarised before it was answered.
  if (cut === messages.length && messages.at(-1)?.role === "user") cut -= 1;
  while (cut > 0 && (messages[cut]?.role === "tool" || hasCalls(messages[cut - 1]))) cut -= 1;
  return Math.max(0, cut);
}

function hasCalls(message: Message | undefined): boolean {
  const parts: unknown = message?.parts;
  return Array.isArray(parts) && parts.some((part) => isRecord(part) && part.type === "tool_call");
}
