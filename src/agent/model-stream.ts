import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { frozenCopy, isRecord } from "../core/json.ts";
import { type Aborted, orAborted } from "./abortable.ts";
import type { MessageFromAssistant, ProviderMetadata, ToolCallPart } from "./messages.ts";
import { ModelFailure } from "./model-failure.ts";

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

type OpenPart = { type: "text" | "reasoning"; text: string; provider_metadata?: ProviderMetadata };
type Part = OpenPart | ToolCallPart;

/**
 * Asks a model and reads its answer to the end.
 *
 * @throws ModelFailure when the stream breaks off or tells of an error; what the model throws; the reason of the signal.
 */
export async function streamAnswer(
  model: LanguageModelV3,
  request: LanguageModelV3CallOptions,
  aborted: Aborted,
  listener: AnswerListener,
): Promise<ModelAnswer> {
  const { signal } = aborted;
  const { stream } = await orAborted(model.doStream(request), aborted);
  const reader = stream.getReader();
  // A pending read ends with a cancel, also of a stream whose source does not listen to the signal.
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  aborted.add(cancel);
  const answer = new AnswerBuilder(listener);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (aborted.already) throw signal.reason;
      if (done) break;
      answer.take(value);
    }
  } catch (error) {
    if (!aborted.already) await hearUsage(reader, listener, cancel);
    cancel();
    throw error;
  } finally {
    aborted.remove(cancel);
  }
  return answer.complete();
}

/** Reads on to the end of an answer that failed: providers tell there what it has used. Never rejects. */
async function hearUsage(
  reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>,
  listener: AnswerListener,
  cancel: () => void,
): Promise<void> {
  const timer = setTimeout(cancel, LAST_WORDS_MILLISECONDS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
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

/** Puts an answer together from the pieces of a stream. */
class AnswerBuilder {
  private readonly listener: AnswerListener;
  private readonly parts: Part[] = [];
  private readonly open = new Map<string, OpenPart>();
  private characters = 0;
  private finish: Extract<LanguageModelV3StreamPart, { type: "finish" }> | undefined;

  constructor(listener: AnswerListener) {
    this.listener = listener;
  }

  take(piece: LanguageModelV3StreamPart): void {
    switch (piece.type) {
      case "text-delta":
        this.write("text", piece.id, piece.delta);
        this.listener.text(piece.delta);
        return;
      case "reasoning-delta":
        this.write("reasoning", piece.id, piece.delta);
        this.listener.reasoning(piece.delta);
        break;
      case "reasoning-start":
        this.write("reasoning", piece.id, "");
        break;
      case "text-end":
      case "reasoning-end":
        break;
      case "tool-call":
        this.parts.push(toolCall(piece));
        return;
      case "error":
        throw piece.error instanceof Error
          ? piece.error
          : new ModelFailure("server_error", `The model told of an error: ${told(piece.error)}`);
      case "finish":
        this.finish = piece;
        this.listener.used(piece.usage);
        return;
      default:
        return;
    }
    const part = this.open.get(piece.id);
    // The last word counts: signatures come with the end of a part.
    if (part !== undefined && piece.providerMetadata !== undefined)
      part.provider_metadata = frozenCopy(piece.providerMetadata);
  }

  complete(): ModelAnswer {
    if (this.finish === undefined)
      throw new ModelFailure("stream_cut", "The answer of the model broke off before its end.");
    const { finishReason, usage } = this.finish;
    if (finishReason.unified === "error")
      throw new ModelFailure("server_error", "The model ended its answer with an error.");
    return { parts: this.parts, finish_reason: finishReason.unified, usage };
  }

  private write(type: OpenPart["type"], id: string, delta: string): void {
    this.characters += delta.length;
    if (this.characters > MOST_CHARACTERS)
      throw new ModelFailure("invalid_response", `The answer has more than ${MOST_CHARACTERS} characters.`);
    let part = this.open.get(id);
    if (part === undefined || part.type !== type) {
      part = { type, text: "" };
      this.open.set(id, part);
      this.parts.push(part);
    }
    part.text += delta;
  }
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
