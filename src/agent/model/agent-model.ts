import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { isRecord } from "../../core/base/json.ts";
import { wellFormed } from "../../shared/well-formed.ts";
import { ModelFailure } from "./failure.ts";
import type { ModelPiece } from "./pieces.ts";

/**
 * What an agent needs of a model: every language model of the AI SDK is one, whichever version of the provider interface it
 * has (V2, V3, V4). The answer of a model of your own may be anything that can be iterated, such as what an async generator
 * yields.
 */
export interface AgentModel {
  readonly provider: string;
  readonly modelId: string;
  /** Gets the call options of the AI SDK's language models, whose types differ from version to version. */
  doStream(options: never): PromiseLike<{ readonly stream: ModelStream }>;
}

/** The options of a call. Its messages are in the form of the model's version, which may be older or newer than 3. */
export interface ModelCall extends Omit<LanguageModelV3CallOptions, "prompt"> {
  readonly prompt: readonly object[];
}

/** A model as it is called: apart from files, every version takes the messages that version 3 describes. */
interface CallableModel {
  doStream(options: ModelCall): PromiseLike<{ readonly stream: ModelStream }>;
}

/** What a choice of a model must be. */
export const MODEL_MUST = "a language model (an object with provider, modelId and doStream) or its name";

/** True for a model, and for every name. */
export function isModelChoice(value: unknown): value is ModelChoice {
  if (!isRecord(value)) return typeof value === "string";
  const { provider, modelId, doStream } = value;
  return typeof provider === "string" && typeof modelId === "string" && typeof doStream === "function";
}

/**
 * Asks a model. Every request of an agent passes here. Its messages and tools are well-formed already: a long conversation
 * must not be read again for each request.
 *
 * @throws what the model throws.
 */
export function callModel(model: AgentModel, options: ModelCall): Promise<{ readonly stream?: unknown }> {
  const { prompt, tools, ...settings } = options;
  // Its type takes nothing, since the versions differ in what they take.
  const callable: CallableModel = model;
  return Promise.resolve(callable.doStream({ ...options, ...wellFormed(settings) }));
}

/** A model, or the name of one. */
export type ModelChoice = AgentModel | string;

/** The pieces of an answer as they come. */
export type ModelStream = ReadableStream<ModelPiece> | AsyncIterable<ModelPiece>;

export interface AnswerReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value: unknown }>;
  /** Ends the answer, and a read that waits for it. */
  cancel(reason: unknown): Promise<unknown>;
}

/** @throws ModelFailure `invalid_response` for what is no stream. */
export function readerOf(stream: unknown): AnswerReader {
  if (!isStream(stream))
    throw new ModelFailure(
      "invalid_response",
      "doStream of the model must return { stream }, a ReadableStream or something that can be iterated with for await.",
    );
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

function isStream(value: unknown): value is ModelStream {
  return isRecord(value) && ("getReader" in value || Symbol.asyncIterator in value);
}

/** The name of a model as events and records show it. */
export function modelName({ provider, modelId }: Pick<AgentModel, "provider" | "modelId">): string {
  const dot = provider.indexOf(".");
  return `${dot === -1 ? provider : provider.slice(0, dot)}/${modelId}`;
}
