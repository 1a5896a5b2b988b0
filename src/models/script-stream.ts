import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";

export interface ScriptedAnswer {
  readonly id: string;
  readonly model: string;
  readonly content: LanguageModelV3Content[];
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

/** Pieces of a streamed text. */
const PIECE = /.{1,16}/gsu;

/**
 * Streams an answer as providers do: text and tool input in pieces, each tool call whole at its end. An abort errors
 * the stream with the reason of the signal.
 */
export function answerStream(
  answer: ScriptedAnswer,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV3StreamPart> {
  const parts = partsOf(answer);
  return new ReadableStream<LanguageModelV3StreamPart>(
    {
      pull(controller) {
        if (signal?.aborted) return controller.error(signal.reason);
        const next = parts.next();
        if (next.done) return controller.close();
        return controller.enqueue(next.value);
      },
    },
    // A piece is made when it is read, so that none follows an abort.
    { highWaterMark: 0 },
  );
}

function* partsOf({
  id,
  model,
  content,
  finishReason,
  usage,
}: ScriptedAnswer): Generator<LanguageModelV3StreamPart, undefined> {
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id, modelId: model };
  for (const [index, part] of content.entries()) {
    if (part.type === "text") {
      const textId = `text_${index + 1}`;
      yield { type: "text-start", id: textId };
      for (const delta of pieces(part.text)) yield { type: "text-delta", id: textId, delta };
      yield { type: "text-end", id: textId };
    }
    if (part.type === "tool-call") {
      yield { type: "tool-input-start", id: part.toolCallId, toolName: part.toolName };
      for (const delta of pieces(part.input)) yield { type: "tool-input-delta", id: part.toolCallId, delta };
      yield { type: "tool-input-end", id: part.toolCallId };
      yield part;
    }
  }
  yield { type: "finish", finishReason, usage };
}

function pieces(text: string): readonly string[] {
  return text.match(PIECE) ?? [];
}
