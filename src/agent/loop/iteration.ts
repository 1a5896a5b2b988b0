import { append } from "../conversation/append.ts";
import { periodicCheckpoint } from "../conversation/checkpoint.ts";
import { compactIfLong } from "../conversation/compact.ts";
import { inject } from "../conversation/context.ts";
import { NO_MESSAGES } from "../conversation/conversation.ts";
import { callsOf, type MessageFromAssistant } from "../conversation/messages.ts";
import { userMessage } from "../conversation/new-message.ts";
import { readMessages } from "../conversation/read-messages.ts";
import { askModel } from "../model/call.ts";
import { fire } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { runToolCalls } from "../tool-calls/batch.ts";
import { deliverLateResults } from "./late-results.ts";
import { TurnEnded } from "./turn-ended.ts";

/** What a round came to. */
export interface Iterated {
  readonly message: MessageFromAssistant;
  /** True when the model called tools: their results wait for the next round. */
  readonly called_tools: boolean;
}

/**
 * One round of the loop: PreIteration, the model, its tool calls, PostIteration.
 *
 * @param last at the iteration limit: the model has no tools and is told to answer.
 * @throws TurnEnded when a hook refuses or ends the run, no model answers, or the turn is interrupted.
 */
export async function iterate(session: AgentSession, turn: Turn, last: boolean): Promise<Iterated> {
  const { conversation, limits, hooks } = session;
  const iteration = turn.iterations;
  turn.iterations += 1;
  await deliverLateResults(session, turn);
  await compactIfLong(session, turn);
  if (last) {
    const text = `You have reached the limit of ${limits.iterations} iterations and have no tools any more. Answer now with what you have.`;
    await append(session, userMessage(session, "runtime", [{ type: "text", text }], "turn"));
  }
  const decision = await fire(session, turn, "PreIteration", {
    iteration,
    messages: hooks.wants("PreIteration") ? conversation.seen() : NO_MESSAGES,
    system_prompt: turn.system_prompt,
    usage: turn.usage,
  });
  if (decision.action === "deny")
    throw new TurnEnded("denied", decision.reason ?? "A hook ended the generation.");
  const added = await inject(session, decision.context);
  const message = await askModel(session, turn, {
    iteration,
    with_tools: !last,
    system_prompt: decision.system_prompt ?? turn.system_prompt,
    messages: decision.messages === undefined ? undefined : [...readMessages(decision.messages), ...added],
  });
  const calls = callsOf(message);
  if (calls.length > 0) {
    await runToolCalls(session, turn, calls);
    await periodicCheckpoint(session, turn);
  }
  await fire(session, turn, "PostIteration", { iteration, response: message, usage: turn.usage });
  return { message, called_tools: calls.length > 0 };
}
