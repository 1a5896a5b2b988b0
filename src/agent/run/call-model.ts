import { stackTrace } from "../../core/base/error-text.ts";
import { isRecord } from "../../core/base/json.ts";
import { callsOf, type MessageFromAssistant } from "../messages/messages.ts";
import { type AgentModel, type ModelCall, modelName } from "../model/agent-model.ts";
import { type ModelFailure, type ModelFailureKind, modelFailure } from "../model/failure.ts";
import { type ModelAnswer, streamAnswer } from "../model/stream.ts";
import { TurnEnded } from "../turn-ended.ts";
import { makeRoom } from "./compaction/make-room.ts";
import { isGuarded, showText } from "./guard.ts";
import { countUsage, inTime, tellsTokens } from "./model-calls/any-call.ts";
import { streamDeltas } from "./model-calls/deltas.ts";
import { refuseFiles, withFilesFor } from "./model-calls/for-model.ts";
import { keepRate } from "./model-calls/rate-limit.ts";
import { modelRequest, type PreparedRequest, type Round } from "./model-calls/request.ts";
import { afterModelFailure } from "./model-calls/retry.ts";
import { append, assistantMessage } from "./session/append.ts";
import { mustBeInBudget } from "./session/budget.ts";
import { fire, fireAnyway } from "./session/fire.ts";
import type { OutputFormat } from "./session/output-format.ts";
import { type AgentSession, emit, type Turn } from "./session/session.ts";
import { noteTokens } from "./session/tokens.ts";

/**
 * Asks the model and appends its answer; one without tool calls is held if hooks guard answers. A failed call is retried, then made with the next model of the fallback list.
 *
 * @throws TurnEnded when no model answers, a hook ends the run, or the turn is interrupted.
 */
export async function askModel(turn: Turn, round: Round): Promise<MessageFromAssistant> {
  const { session } = turn;
  const started = session.clock.monotonic();
  const id = session.newId();
  const guarded = isGuarded(session);
  const { answer, model } = await answered(turn, round, { id, guarded });
  const { finish_reason } = answer;
  const parts = session.conversation.withOwnIds(answer.parts);
  const message = round.with_tools
    ? assistantMessage(session, { id, model, finish_reason, parts })
    : lastMessage(session, id, model, answer);
  const usage = countUsage(session, turn, model, answer.usage);
  if (guarded && callsOf(message).length === 0) turn.held = message;
  else {
    if (guarded) showText(session, message);
    await append(session, message);
  }
  turn.partial = "";
  session.conversation.endRequest();
  noteTokens(session, usage.input_tokens + usage.output_tokens);
  const { compaction } = session;
  if (compaction.floor === "next answer") compaction.floor = compaction.tokens;
  const duration_ms = session.clock.monotonic() - started;
  await fire(turn, "PostModelResponse", { response: message, usage, duration_ms });
  return message;
}

/** What a model reports that can't read an image, or its provider that takes none. */
const MAYBE_OF_FILES: readonly ModelFailureKind[] = ["invalid_request", "model_error"];

function sentTo(turn: Turn, model: AgentModel, { request, may_have_files }: PreparedRequest): ModelCall {
  const { session } = turn;
  const whole = may_have_files ? withFilesFor(request, model, session.refused_files) : request;
  const call = withFormat(whole, model, turn.output?.format);
  return session.options.prompt_caching === false ? call : withCaching(call, model);
}

async function answered(
  turn: Turn,
  round: Round,
  about: { readonly id: string; readonly guarded: boolean },
): Promise<{ answer: ModelAnswer; model: string }> {
  const { session } = turn;
  let prepared = await modelRequest(turn, round);
  let step: number | undefined = 0;
  for (let attempt = 0; ; attempt += 1) {
    const { model } = session;
    if (model === undefined) throw new TurnEnded("error", "There is no model.");
    await keepRate(session, modelName(model), turn.signal);
    mustBeInBudget(session);
    const deltas = streamDeltas(turn, { with_calls: round.with_tools, ...about });
    try {
      const answer = await inTime(session, turn.signal, (signal) =>
        streamAnswer(model, sentTo(turn, model, prepared), signal, deltas.listener),
      );
      deltas.flush();
      return { answer, model: modelName(model) };
    } catch (thrown) {
      const usage = deltas.usage();
      if (usage !== undefined && tellsTokens(usage)) countUsage(session, turn, modelName(model), usage);
      turn.signal.throwIfAborted();
      if (thrown instanceof TurnEnded) throw thrown;
      turn.partial = "";
      const failure = modelFailure(thrown, session.clock.now());
      if (MAYBE_OF_FILES.includes(failure.kind) && refuseFiles(prepared.request, session.refused_files)) {
        const text = `The model refused the images or files (${failure.message}). It is asked again without them.`;
        emit(session, { type: "notice", text, level: "warning" });
        attempt -= 1;
        continue;
      }
      if (failure.kind === "context_overflow" && round.messages === undefined && step !== undefined) {
        step = await makeRoom(turn, step);
        if (step !== undefined) {
          await tellOverflow(turn, failure);
          prepared = await modelRequest(turn, round);
          attempt = -1;
          continue;
        }
      }
      await afterModelFailure(turn, failure, attempt);
      if (session.model === model) continue;
      attempt = -1;
      step = 0;
    }
  }
}

/** Tells hooks and listeners that the model refused the conversation as too long, and that it is sent again, shorter. */
async function tellOverflow(turn: Turn, failure: ModelFailure): Promise<void> {
  const { session } = turn;
  const { kind: error_type, message } = failure;
  await fireAnyway(
    session,
    "Error",
    { error_type, error_message: message, severity: "warning", ...stackTrace(failure) },
    turn.firing,
  );
  turn.signal.throwIfAborted();
  emit(session, { type: "error", error_type, message, retry_in_ms: 0 });
}

/** At the iteration limit a tool call of the model is dropped: it would have no result. */
function lastMessage(
  session: AgentSession,
  id: string,
  model: string,
  { parts, finish_reason }: ModelAnswer,
): MessageFromAssistant {
  const spokenParts = parts.filter((part) => part.type !== "tool_call");
  const text = `The limit of ${session.limits.iterations} iterations was reached before there was an answer.`;
  const spoken = spokenParts.some((part) => part.type === "text" && part.text !== "");
  return assistantMessage(session, {
    id,
    model,
    finish_reason,
    ended: "limit",
    parts: spoken ? spokenParts : [...spokenParts, { type: "text", text }],
  });
}

const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks what the provider may cache, where it wants that marked: the system prompt, the tools, and everything so far. The
 * next request begins with the same and pays a tenth for it. Other providers cache by themselves.
 */
function withCaching(request: ModelCall, model: AgentModel): ModelCall {
  if (!modelName(model).startsWith("anthropic/")) return request;
  const { prompt, tools } = request;
  const last = prompt.length - 1;
  return {
    ...request,
    prompt: prompt.map((message, at) =>
      at === last || ("role" in message && message.role === "system") ? marked(message) : message,
    ),
    ...(tools === undefined
      ? {}
      : { tools: tools.map((tool, at) => (at === tools.length - 1 ? marked(tool) : tool)) }),
  };
}

/** A mark that is there already stays: it may ask for a longer time. */
function marked<Part extends object>(part: Part): Part {
  const { type, providerOptions }: { readonly type?: unknown; readonly providerOptions?: object } = part;
  if (providerOptions === undefined && type === "provider") return part;
  return { ...part, providerOptions: { ...CACHED, ...providerOptions } };
}

/** Providers that take tools and a schema for the answer in one request. */
const WITH_TOOLS = /^(?:anthropic|openai|azure)\b|^google\b.*\/gemini-[3-9]/;

/**
 * Asks the provider for answers that fit the schema, where it can do so. Other models have the instructions alone: a
 * provider that does not know the option would refuse the request, or answer in place of calling tools.
 */
function withFormat(call: ModelCall, model: AgentModel, format: OutputFormat | undefined): ModelCall {
  if (format === undefined || !takesFormat(model, (call.tools ?? []).length > 0)) return call;
  const { schema, strict } = format;
  const { openai } = call.providerOptions ?? {};
  return {
    ...call,
    responseFormat: { type: "json", schema, name: "answer" },
    ...(strict
      ? {}
      : {
          providerOptions: {
            ...call.providerOptions,
            openai: { strictJsonSchema: false, ...(isRecord(openai) ? openai : {}) },
          },
        }),
  };
}

function takesFormat(model: AgentModel, withTools: boolean): boolean {
  if ("supportsStructuredOutputs" in model && model.supportsStructuredOutputs !== true) return false;
  return !withTools || WITH_TOOLS.test(`${model.provider}/${model.modelId}`);
}
