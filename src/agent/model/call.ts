import { append } from "../conversation/append.ts";
import type { MessageFromAssistant } from "../conversation/messages.ts";
import { assistantMessage } from "../conversation/new-message.ts";
import { type Aborted, onAbort, watchSignal } from "../loop/abort.ts";
import { mustGoOn, TurnEnded } from "../loop/turn-ended.ts";
import { fire } from "../session/fire.ts";
import { type AgentSession, type ModelCalls, modelName, type Turn } from "../session/session.ts";
import { TurnListener } from "../session/turn-listener.ts";
import { countUsage, tellsTokens } from "./count-usage.ts";
import { beginDeadline, endDeadlines } from "./deadline.ts";
import { modelFailure } from "./failure.ts";
import { type ModelRequest, modelRequest, type Round } from "./request.ts";
import { afterModelFailure } from "./retry.ts";
import { type ModelAnswer, newReading, streamAnswer } from "./stream.ts";

/**
 * Asks the model in one round and adds its answer to the conversation. A call that fails is tried again, and then with
 * the next model of the fallback list.
 *
 * @throws TurnEnded when no model answers, a hook ends the run, or the turn is interrupted.
 */
export async function askModel(
  session: AgentSession,
  turn: Turn,
  round: Round,
): Promise<MessageFromAssistant> {
  const making = modelRequest(session, turn, round);
  const request = making instanceof Promise ? await making : making;
  const started = session.clock.monotonic();
  const id = session.newId();
  const { answer, model } = await answered(session, turn, request, id);
  const { finish_reason } = answer;
  const message = round.with_tools
    ? assistantMessage(session, { id, model, finish_reason, parts: answer.parts })
    : lastMessage(session, id, model, answer);
  const kept = append(session, message);
  if (kept instanceof Promise) await kept;
  turn.partial = "";
  session.conversation.endRequest();
  const usage = countUsage(session, turn, model, answer.usage ?? NO_USAGE);
  session.compaction.tokens = usage.input_tokens + usage.output_tokens;
  const duration_ms = session.clock.monotonic() - started;
  const deciding = fire(session, turn, "PostModelResponse", { response: message, usage, duration_ms });
  if (deciding instanceof Promise) await deciding;
  return message;
}

async function answered(
  session: AgentSession,
  turn: Turn,
  request: ModelRequest,
  id: string,
): Promise<{ answer: ModelAnswer; model: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const { model } = session;
    if (model === undefined) throw new TurnEnded("error", "There is no model.");
    const calls = callsOf(turn);
    calls.listener ??= new TurnListener(session, turn);
    const { listener } = calls;
    listener.begin(id);
    beginDeadline(session, calls);
    request.abortSignal = calls.aborted.signal;
    try {
      const answer = await streamAnswer(model, request, calls.reading, listener);
      calls.started = undefined;
      listener.flush();
      return { answer, model: modelName(model) };
    } catch (thrown) {
      calls.started = undefined;
      const { usage } = listener;
      if (usage !== undefined && tellsTokens(usage)) countUsage(session, turn, modelName(model), usage);
      mustGoOn(turn);
      if (thrown instanceof TurnEnded) throw thrown;
      turn.partial = "";
      await afterModelFailure(session, turn, modelFailure(thrown, session.clock.now()), attempt);
      if (session.model !== model) attempt = -1;
    }
  }
}

/** What ends the model calls of a turn. */
export function modelCalls(turn: Aborted): ModelCalls {
  const controller = new AbortController();
  onAbort(turn, () => controller.abort(turn.signal.reason));
  const aborted = watchSignal(controller.signal);
  return {
    controller,
    aborted,
    reading: newReading(aborted),
    listener: undefined,
    started: undefined,
    cancelTimer: undefined,
  };
}

/** What ends the next call: something else when it has ended the last one, which took too long. */
function callsOf(turn: Turn): ModelCalls {
  if (turn.modelCalls.aborted.already) {
    endDeadlines(turn.modelCalls);
    turn.modelCalls = modelCalls(turn.aborted);
  }
  return turn.modelCalls;
}

const NONE = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const NO_USAGE = {
  inputTokens: NONE,
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** At the limit there are no tools: a call the model makes all the same must not be left without a result. */
function lastMessage(
  session: AgentSession,
  id: string,
  model: string,
  { parts, finish_reason }: ModelAnswer,
): MessageFromAssistant {
  const said = parts.filter((part) => part.type !== "tool_call");
  const text = `The limit of ${session.limits.iterations} iterations was reached before there was an answer.`;
  const spoken = said.some((part) => part.type === "text" && part.text !== "");
  return assistantMessage(session, {
    id,
    model,
    finish_reason,
    ended: "limit",
    parts: spoken ? said : [...said, { type: "text", text }],
  });
}
