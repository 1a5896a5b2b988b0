import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { type Deferred, deferred } from "../../core/decide/deferred.ts";

/**
 * What an agent needs of a model: every language model of the AI SDK is one. The answer of a model of your own may be
 * anything that can be iterated, such as what an async generator yields.
 */
export interface AgentModel {
  readonly provider: string;
  readonly modelId: string;
  doStream(options: LanguageModelV3CallOptions): PromiseLike<{ readonly stream: ModelStream }>;
}

/** The pieces of an answer as they come. */
export type ModelStream =
  | ReadableStream<LanguageModelV3StreamPart>
  | AsyncIterable<LanguageModelV3StreamPart>;

/** What a read comes to. */
interface Piece {
  readonly done?: boolean | undefined;
  readonly value: LanguageModelV3StreamPart | undefined;
}

/** Reads an answer piece by piece. */
export interface AnswerReader {
  read(): Promise<Piece>;
  /** Ends the answer, and a read that waits for it. */
  cancel(reason: unknown): Promise<unknown>;
}

/** Somebody to read an answer. */
export function readerOf(stream: ModelStream): AnswerReader {
  // Not by its own method: on Node 20 every stream has a hidden class of its own, which no code can be compiled for.
  if (stream instanceof ReadableStream) return new ReadableStreamDefaultReader(stream);
  if (isForeign(stream)) return stream.getReader();
  const iterator = stream[Symbol.asyncIterator]();
  const answer: IteratedAnswer = { iterator, reading: undefined, read: readNext, cancel: endIterator };
  return answer;
}

/** True for a stream of another maker than the platform. */
function isForeign(stream: ModelStream): stream is ReadableStream<LanguageModelV3StreamPart> {
  return "getReader" in stream;
}

/** The answer of a model of one's own. A plain literal for the same reason as the engine's `HookCall`. */
interface IteratedAnswer extends AnswerReader {
  readonly iterator: AsyncIterator<LanguageModelV3StreamPart>;
  reading: Deferred<Piece> | undefined;
}

const END: Piece = { done: true, value: undefined };

function readNext(this: IteratedAnswer): Promise<Piece> {
  const reading = deferred<Piece>();
  this.reading = reading;
  this.iterator.next().then(reading.resolve, reading.reject);
  return reading.promise;
}

/** An iterator that is asked for its next piece ends only after it has given that, if ever: nobody waits for it. */
async function endIterator(this: IteratedAnswer): Promise<void> {
  this.reading?.resolve(END);
  await this.iterator.return?.();
}
