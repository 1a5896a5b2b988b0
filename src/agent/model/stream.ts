import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import { ignore } from "../../core/base/error-text.ts";
import { frozenCopy, isRecord, parseJson } from "../../core/base/json.ts";
import { raceAbort } from "../../node/process/deadline.ts";
import type {
  FinishReason,
  MessageFromAssistant,
  ProviderMetadata,
  ToolCallPart,
} from "../messages/messages.ts";
import { type AgentModel, type AnswerReader, callModel, type ModelCall, readerOf } from "./agent-model.ts";
import { ModelFailure, streamFailure } from "./failure.ts";
import { finishReasonOf, isCutOff } from "./finish-reason.ts";
import { knownPiece } from "./known-piece.ts";
import { traceModel } from "./model-span.ts";

/** How long to wait for the usage after an error. */
const USAGE_MILLISECONDS = 500;

/** The most characters of one answer: a model that never ends must not fill the memory. */
const MOST_CHARACTERS = 8_000_000;

export interface ModelAnswer {
  readonly parts: MessageFromAssistant["parts"];
  readonly finish_reason: FinishReason;
  readonly usage: LanguageModelV3Usage;
}

export interface AnswerListener {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** More of the input of a call; empty when the call begins. */
  input(call: OpenCall, delta: string): void;
  /** Also called for an answer that fails. */
  used(usage: LanguageModelV3Usage): void;
}

/** A call whose input is still streaming. */
export interface OpenCall {
  /** As the model gives it: perhaps not for the first time. */
  readonly id: string;
  readonly tool_name: string;
  text: string;
}

type OpenPart = { type: "text" | "reasoning"; text: string; provider_metadata?: ProviderMetadata };
type Part = OpenPart | ToolCallPart;

/**
 * Asks a model and reads its answer to the end, or until the signal is aborted.
 *
 * @throws ModelFailure when the stream breaks off or tells of an error; what the model throws; the reason of the signal.
 */
export function streamAnswer(
  model: AgentModel,
  request: Omit<ModelCall, "abortSignal">,
  signal: AbortSignal,
  listener: AnswerListener,
): Promise<ModelAnswer> {
  return traceModel(model, signal, () => readAnswer(model, request, signal, listener));
}

async function readAnswer(
  model: AgentModel,
  request: Omit<ModelCall, "abortSignal">,
  signal: AbortSignal,
  listener: AnswerListener,
): Promise<ModelAnswer> {
  const answered = await raceAbort(callModel(model, { abortSignal: signal, ...request }), signal);
  const reader = readerOf(answered?.stream);
  const isOwn = !("specificationVersion" in model);
  const cancel = (): void => ignore(reader.cancel(signal.reason));
  const draft = newDraft(listener);
  signal.addEventListener("abort", cancel);
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done === true || value === undefined) break;
      take(draft, knownPiece(value, isOwn));
    }
  } catch (error) {
    if (!signal.aborted) await readUsage(reader, listener, cancel);
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
  return complete(draft);
}

/**
 * Asks a model and reads its answer without a listener. Rejects as {@link streamAnswer} does.
 *
 * @param used gets the usage, if the provider tells it.
 */
export function wholeAnswer(
  model: AgentModel,
  request: Omit<ModelCall, "abortSignal">,
  signal: AbortSignal,
  used: AnswerListener["used"] = () => {},
): Promise<ModelAnswer> {
  return streamAnswer(model, request, signal, { text() {}, reasoning() {}, input() {}, used });
}

/** Reads on to the end of an answer that failed, where providers tell what it has used. Never rejects. */
async function readUsage(reader: AnswerReader, listener: AnswerListener, cancel: () => void): Promise<void> {
  const timer = setTimeout(cancel, USAGE_MILLISECONDS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done === true || value === undefined) return;
      const piece = knownPiece(value, false);
      if (piece.type !== "finish") continue;
      listener.used(piece.usage);
      return;
    }
  } catch {
    // The stream itself failed, or the time is over.
  } finally {
    clearTimeout(timer);
  }
}

/** An answer that is still streaming. */
interface Draft {
  readonly listener: AnswerListener;
  readonly parts: Part[];
  /** The parts whose text is still streaming, by the ids of the stream. */
  open: Map<string, OpenPart> | undefined;
  /** Calls whose input is still streaming. */
  inputs: Map<string, OpenCall> | undefined;
  characters: number;
  finish: Extract<LanguageModelV3StreamPart, { type: "finish" }> | undefined;
}

function newDraft(listener: AnswerListener): Draft {
  return { listener, parts: [], open: undefined, inputs: undefined, characters: 0, finish: undefined };
}

function take(draft: Draft, piece: LanguageModelV3StreamPart): void {
  switch (piece.type) {
    case "text-delta":
      write(draft, "text", piece.id, piece.delta);
      draft.listener.text(piece.delta);
      return;
    case "reasoning-delta":
      write(draft, "reasoning", piece.id, piece.delta);
      draft.listener.reasoning(piece.delta);
      break;
    case "reasoning-start":
      write(draft, "reasoning", piece.id, "");
      break;
    case "text-end":
    case "reasoning-end":
      break;
    case "tool-input-start": {
      draft.inputs ??= new Map();
      const call = { id: piece.id, tool_name: piece.toolName, text: "" };
      draft.inputs.set(piece.id, call);
      draft.listener.input(call, "");
      return;
    }
    case "tool-input-delta": {
      count(draft, piece.delta);
      const call = draft.inputs?.get(piece.id);
      if (call === undefined) return;
      call.text += piece.delta;
      draft.listener.input(call, piece.delta);
      return;
    }
    case "tool-call":
      draft.inputs?.delete(piece.toolCallId);
      draft.parts.push(toolCall(piece));
      return;
    case "error":
      throw piece.error instanceof Error ? piece.error : streamFailure(errorText(piece.error));
    case "finish":
      draft.finish = piece;
      draft.listener.used(piece.usage);
      return;
    default:
      return;
  }
  const part = draft.open?.get(piece.id);
  // The last one counts: signatures come with the end of a part.
  if (part !== undefined && piece.providerMetadata !== undefined)
    part.provider_metadata = frozenCopy(piece.providerMetadata);
}

function count(draft: Draft, delta: string): void {
  draft.characters += delta.length;
  if (draft.characters > MOST_CHARACTERS)
    throw new ModelFailure("invalid_response", `The answer has more than ${MOST_CHARACTERS} characters.`);
}

function write(draft: Draft, type: OpenPart["type"], id: string, delta: string): void {
  count(draft, delta);
  draft.open ??= new Map();
  let part = draft.open.get(id);
  if (part === undefined || part.type !== type) {
    part = { type, text: "" };
    draft.open.set(id, part);
    draft.parts.push(part);
  }
  part.text += delta;
}

function complete({ finish, parts, inputs }: Draft): ModelAnswer {
  // Providers end every stream with a finish; after a cut its reason is not the model's.
  if (
    finish === undefined ||
    (finish.finishReason.unified === "other" && finish.finishReason.raw === undefined)
  )
    throw new ModelFailure("stream_cut", "The answer of the model broke off before its end.");
  const { finishReason, usage } = finish;
  if (finishReason.unified === "error")
    throw new ModelFailure("server_error", "The model ended its answer with an error.");
  const finish_reason = finishReasonOf(finishReason);
  return { parts: isCutOff(finish_reason) ? cutParts(parts, inputs) : parts, finish_reason, usage };
}

/** Marks the calls whose input an answer without an end has not finished. Some providers do not even name them. */
function cutParts(parts: readonly Part[], inputs: Draft["inputs"]): readonly Part[] {
  const last = parts.at(-1);
  const marked = parts.map((part) => {
    if (part.type !== "tool_call") return part;
    const isEmpty = part === last && Object.keys(part.tool_input).length === 0;
    return part.invalid_input === undefined && !isEmpty ? part : ({ ...part, cut_off: true } as const);
  });
  const unnamed = [...(inputs ?? [])].map(
    ([tool_use_id, { tool_name, text }]) =>
      ({
        type: "tool_call",
        tool_use_id,
        tool_name,
        tool_input: {},
        invalid_input: text,
        cut_off: true,
      }) as const,
  );
  return [...marked, ...unnamed];
}

function toolCall({
  toolCallId,
  toolName,
  input,
  providerMetadata,
}: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>): ToolCallPart {
  const parsed = parsedInput(input);
  const tool_input = parsed ?? {};
  const call = { type: "tool_call", tool_use_id: toolCallId, tool_name: toolName, tool_input } as const;
  if (parsed !== undefined && providerMetadata === undefined) return call;
  return {
    ...call,
    ...(parsed === undefined ? { invalid_input: input } : {}),
    ...(providerMetadata === undefined ? {} : { provider_metadata: frozenCopy(providerMetadata) }),
  };
}

function parsedInput(input: string): ToolCallPart["tool_input"] | undefined {
  const value = input.trim() === "" ? {} : parseJson(input);
  return isRecord(value) ? frozen(value) : undefined;
}

/** Freezes a value that was just parsed, in place. */
function frozen<T extends object>(value: T): T {
  for (const item of Object.values(value)) if (typeof item === "object" && item !== null) frozen(item);
  return Object.freeze(value);
}

function errorText(error: unknown): string {
  return typeof error === "string" ? error : JSON.stringify(frozenCopy(error));
}
