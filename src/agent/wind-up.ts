import type { TurnEnded } from "./ended.ts";
import { fireAnyway } from "./fire.ts";
import type { Generated } from "./items.ts";
import type { AnswerEnd } from "./messages.ts";
import { type AgentSession, emit, modelName, type Turn } from "./session.ts";
import { append } from "./store.ts";

const ENDINGS: Readonly<Record<AnswerEnd, (message: string) => string>> = {
  limit: (message) => message,
  denied: (message) => message,
  aborted: (message) => message,
  cancelled: () => "[Interrupted by the user.]",
  error: (message) => `[The turn ended with an error: ${message}]`,
};

/**
 * Winds a turn up that did not come to its answer: hooks hear of it, and what was said so far and why it ended become
 * the answer, so that no later turn follows a question nobody answered. Never rejects.
 */
export async function windUp(session: AgentSession, turn: Turn, ending: TurnEnded): Promise<Generated> {
  const { reason, message, error_type = "Error" } = ending;
  if (reason === "cancelled") await fireAnyway(session, "Interrupt", { reason: message }, turn.firing);
  if (reason === "error" && !(ending.cause instanceof Error && ending.cause.name === "ModelFailure"))
    await fireAnyway(
      session,
      "Error",
      { error_type, error_message: message, severity: "critical" },
      turn.firing,
    );
  if (reason === "error") emit(session, { type: "error", error_type, message });
  const why = ENDINGS[reason](message);
  const { partial } = turn;
  const parts = [...(partial === "" ? [] : [partial]), why].map((text) => ({ type: "text", text }) as const);
  const model = session.model === undefined ? "" : modelName(session.model);
  // The store may be what failed; the conversation holds the answer all the same.
  if (session.conversation.length > turn.from)
    await append(session, { role: "assistant", model, ended: reason, parts }).catch(() => {});
  const text = reason === "cancelled" ? partial : why;
  return {
    text,
    stop_reason: reason,
    ...(reason === "error" ? { error: { error_type, message } } : {}),
  };
}
