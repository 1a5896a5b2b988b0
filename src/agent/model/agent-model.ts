import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";

/**
 * What an agent needs of a model: every language model of the AI SDK is one. The answer of a model of your own may be
 * anything that can be iterated, such as what an async generator yields.
 */
export interface AgentModel {
  readonly provider: string;
  readonly modelId: string;
  doStream(options: LanguageModelV3CallOptions): PromiseLike<{ readonly stream: ModelStream }>;
}

/** A model, or the name of one. */
export type ModelChoice = AgentModel | string;

/** The pieces of an answer as they come. */
export type ModelStream =
  | ReadableStream<LanguageModelV3StreamPart>
  | AsyncIterable<LanguageModelV3StreamPart>;

export interface AnswerReader {
  read(): Promise<{
    readonly done?: boolean | undefined;
    readonly value: LanguageModelV3StreamPart | undefined;
  }>;
  /** Ends the answer, and a read that waits for it. */
  cancel(reason: unknown): Promise<unknown>;
}

export function readerOf(stream: ModelStream): AnswerReader {
  if ("getReader" in stream) return stream.getReader();
  const iterator = stream[Symbol.asyncIterator]();
  let endRead = (): void => {};
  return {
    read: () =>
      new Promise((resolve, reject) => {
        endRead = () => resolve({ done: true, value: undefined });
        iterator.next().then(resolve, reject);
      }),
    cancel: async () => {
      endRead();
      await iterator.return?.();
    },
  };
}

/** The name of a model as events and records show it. */
export function modelName({ provider, modelId }: Pick<AgentModel, "provider" | "modelId">): string {
  const dot = provider.indexOf(".");
  return `${dot === -1 ? provider : provider.slice(0, dot)}/${modelId}`;
}
