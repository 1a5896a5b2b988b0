import { withoutUndefined } from "../../core/base/json.ts";
import type { Generated } from "../items.ts";
import { type AgentMessage, textOf } from "../messages/messages.ts";
import { modelName } from "../model/agent-model.ts";
import { stopReasonOf } from "../model/finish-reason.ts";
import { endingOf } from "../turn-ended.ts";
import { endEarly } from "./end-early.ts";
import { generate } from "./generate.ts";
import { enterTurn } from "./new-turn.ts";
import { append, appendResult, assistantMessage, storePending } from "./session/append.ts";
import { fire } from "./session/fire.ts";
import type { AgentSession, Turn } from "./session/session.ts";

const NOT_RUN = "The call did not run: the user wrote something else.";
const CUT_OFF = "[The agent was stopped before it had answered.]";

/**
 * Continues a turn that was cut off or waited for a human. Hooks have seen the prompt and TurnStart; Resume replaces them.
 * Calls that may run pass every gate again. Never rejects for what happens in the turn.
 */
export async function continueTurn(turn: Turn, answers: unknown): Promise<Generated> {
  const { session } = turn;
  const { conversation, pending } = session;
  const { unfinished } = pending;
  pending.unfinished = undefined;
  await enterTurn(turn);
  let generated: Generated;
  try {
    await storePending(session);
    await fire(turn, "Resume", withoutUndefined({ answers }));
    generated = await generate(turn, taskOf(conversation.transcript(turn.from)), unfinished);
  } catch (error) {
    generated = await endEarly(turn, endingOf(error, turn.signal));
  }
  if (generated.stop_reason !== "suspended") pending.waiting = undefined;
  pending.not_begun = undefined;
  return generated;
}

function taskOf([first]: readonly AgentMessage[]): string {
  if (first?.role !== "user") return "";
  return first.parts.flatMap((part) => (part.type === "file" ? [] : [part.text])).join("\n");
}

/** The last answer of a conversation that has nothing left to continue. */
export function lastAnswer({ conversation, options }: AgentSession): Generated {
  const last = conversation.transcript().findLast((message) => message.role === "assistant");
  const { status, error } = options.resume?.metadata ?? {};
  const text = last === undefined ? "" : textOf(last);
  const byAnswer = last === undefined ? undefined : (last.ended ?? stopReasonOf(last));
  const stop_reason = byAnswer ?? (status === "limit" ? "limit" : "complete");
  if (stop_reason !== "error") return { text, stop_reason, finish_reason: last?.finish_reason };
  return { text, stop_reason, error: error ?? { error_type: "Error", message: text } };
}

/**
 * Closes an unfinished turn before another one begins: its calls get results and it gets a last answer, so that no two
 * messages of the user follow each other.
 *
 * @throws TurnEnded when the store failed.
 */
export async function settleUnfinished(session: AgentSession): Promise<void> {
  const { pending, identity } = session;
  const { unfinished } = pending;
  await storePending(session);
  pending.unfinished = undefined;
  pending.waiting = undefined;
  pending.not_begun = undefined;
  if (unfinished === undefined || unfinished.answer !== undefined) return;
  const current = identity.turn_id;
  session.identity.turn_id = unfinished.turn_id;
  for (const { tool_use_id, tool_name } of unfinished.rerun)
    await appendResult(session, {
      type: "tool_result",
      tool_use_id,
      tool_name,
      content: NOT_RUN,
      is_error: true,
      outcome: "not_run",
    });
  const model = session.model === undefined ? "" : modelName(session.model);
  await append(
    session,
    assistantMessage(session, { model, ended: "cancelled", parts: [{ type: "text", text: CUT_OFF }] }),
  );
  session.conversation.endTurn();
  if (current !== undefined) session.identity.turn_id = current;
}
