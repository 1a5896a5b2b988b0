import type {
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { ignore } from "../../core/base/error-text.ts";
import { frozenCopy, isRecord } from "../../core/base/json.ts";
import type { MessageFromAssistant, ProviderMetadata, ToolCallPart } from "../conversation/messages.ts";
import { type Aborted, onAbort, orAborted } from "../loop/abort.ts";
import { type AgentModel, type AnswerReader, readerOf } from "./agent-model.ts";
import { ModelFailure } from "./failure.ts";

/** How long a provider that told of an error may still take to tell what was used. */
const LAST_WORDS_MILLISECONDS = 500;

/** Characters one answer may have: a model that never ends must not fill the memory. */
const MOST_CHARACTERS = 8_000_000;

/** What the model said, and how it came to its end. */
export interface ModelAnswer {
  readonly parts: MessageFromAssistant["parts"];
  readonly finish_reason: string;
  readonly usage: LanguageModelV3Usage | undefined;
}

/** Hears of an answer while it comes. */
export interface AnswerListener {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** What was used, when the provider tells it; also of an answer that fails. */
  used(usage: LanguageModelV3Usage): void;
}

/** Where answers are read, one after the other, and what ends that. */
export interface Reading {
  readonly aborted: Aborted;
  /** Reads the answer that is coming. */
  reader: { cancel(reason: unknown): Promise<unknown> } | undefined;
}

/** A place to read answers. An abort ends a pending read, also of a stream whose source does not listen to the signal. */
export function newReading(aborted: Aborted): Reading {
  const reading: Reading = { aborted, reader: undefined };
  onAbort(aborted, () => ignore(reading.reader?.cancel(aborted.signal.reason)));
  return reading;
}

type OpenPart = { type: "text" | "reasoning"; text: string; provider_metadata?: ProviderMetadata };
type Part = OpenPart | ToolCallPart;

/**
 * Asks a model and reads its answer to the end.
 *
 * @throws ModelFailure when the stream breaks off or tells of an error; what the model throws; the reason of the signal.
 */
export async function streamAnswer(
  model: AgentModel,
  request: LanguageModelV3CallOptions,
  reading: Reading,
  listener: AnswerListener,
): Promise<ModelAnswer> {
  const { aborted } = reading;
  const { stream } = await orAborted(model.doStream(request), aborted);
  keepStreamCode();
  const reader = readerOf(stream);
  reading.reader = reader;
  const draft = newDraft(listener);
  try {
    // An abort between the answer and this moment has found no reader to end.
    if (aborted.already) throw aborted.signal.reason;
    for (;;) {
      const { done, value } = await reader.read();
      if (aborted.already) throw aborted.signal.reason;
      if (done === true || value === undefined) break;
      take(draft, value);
    }
  } catch (error) {
    const cancel = (): void => ignore(reader.cancel(aborted.signal.reason));
    if (!aborted.already) await hearUsage(reader, listener, cancel);
    cancel();
    throw error;
  } finally {
    reading.reader = undefined;
  }
  return complete(draft);
}

/** Reads on to the end of an answer that failed: providers tell there what it has used. Never rejects. */
async function hearUsage(reader: AnswerReader, listener: AnswerListener, cancel: () => void): Promise<void> {
  const timer = setTimeout(cancel, LAST_WORDS_MILLISECONDS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done === true || value === undefined) return;
      if (value.type !== "finish") continue;
      listener.used(value.usage);
      return;
    }
  } catch {
    // The stream itself is what failed.
  } finally {
    clearTimeout(timer);
  }
}

let lasting: readonly unknown[] | undefined;

/**
 * Holds on to a stream and a reader that wait for ever. V8 throws away the code it compiled for streams when a
 * collection finds none alive, as it does between two answers, and compiling it again costs more than reading an answer.
 */
function keepStreamCode(): void {
  if (lasting !== undefined) return;
  const stream = new ReadableStream<number>({ start: (controller) => controller.enqueue(0) });
  const reader = stream.getReader();
  lasting = [stream, reader, reader.read(), reader.read()];
}

/** An answer while it comes, piece by piece. */
interface Draft {
  readonly listener: AnswerListener;
  readonly parts: Part[];
  /** The parts whose text is still coming, by the stream's ids. Made when there is one. */
  open: Map<string, OpenPart> | undefined;
  characters: number;
  finish: Extract<LanguageModelV3StreamPart, { type: "finish" }> | undefined;
}

function newDraft(listener: AnswerListener): Draft {
  return { listener, parts: [], open: undefined, characters: 0, finish: undefined };
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
    case "tool-call":
      draft.parts.push(toolCall(piece));
      return;
    case "error":
      throw piece.error instanceof Error
        ? piece.error
        : new ModelFailure("server_error", `The model told of an error: ${told(piece.error)}`);
    case "finish":
      draft.finish = piece;
      draft.listener.used(piece.usage);
      return;
    default:
      return;
  }
  const part = draft.open?.get(piece.id);
  // The last word counts: signatures come with the end of a part.
  if (part !== undefined && piece.providerMetadata !== undefined)
    part.provider_metadata = frozenCopy(piece.providerMetadata);
}

function write(draft: Draft, type: OpenPart["type"], id: string, delta: string): void {
  draft.characters += delta.length;
  if (draft.characters > MOST_CHARACTERS)
    throw new ModelFailure("invalid_response", `The answer has more than ${MOST_CHARACTERS} characters.`);
  draft.open ??= new Map();
  let part = draft.open.get(id);
  if (part === undefined || part.type !== type) {
    part = { type, text: "" };
    draft.open.set(id, part);
    draft.parts.push(part);
  }
  part.text += delta;
}

function complete({ finish, parts }: Draft): ModelAnswer {
  // Providers end every stream with a finish; one that was cut off has a reason that the model never gave.
  if (
    finish === undefined ||
    (finish.finishReason.unified === "other" && finish.finishReason.raw === undefined)
  )
    throw new ModelFailure("stream_cut", "The answer of the model broke off before its end.");
  const { finishReason, usage } = finish;
  if (finishReason.unified === "error")
    throw new ModelFailure("server_error", "The model ended its answer with an error.");
  return { parts, finish_reason: finishReason.unified, usage };
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
  try {
    const value: unknown = input.trim() === "" ? {} : JSON.parse(input);
    return isRecord(value) ? frozen(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Freezes what was just parsed, in place: nobody else has it. */
function frozen<T extends object>(value: T): T {
  for (const item of Object.values(value)) if (typeof item === "object" && item !== null) frozen(item);
  return Object.freeze(value);
}

function told(error: unknown): string {
  return typeof error === "string" ? error : JSON.stringify(frozenCopy(error));
}
