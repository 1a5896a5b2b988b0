import { setTimeout as sleep } from "node:timers/promises";
import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3Content,
  type LanguageModelV3FinishReason,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { TenterhookError } from "../../core/base/errors.ts";
import { raceAbort } from "../../node/process/deadline.ts";
import { promptMeter, tokensIn } from "./prompt-meter.ts";
import type { OpenedModel } from "./providers.ts";
import {
  isStep,
  issueSentence,
  type Script,
  type ScriptRequest,
  type ScriptStep,
  stepIssue,
} from "./script-step.ts";

const PAST_THE_END: ScriptStep = { text: "done" };

/**
 * A model that plays written steps, one for each call, and then says `done`: no key, no network, always the same. Text
 * and tool input are streamed in pieces; call ids count on from those of the conversation; the usage is an estimate.
 * An `error` fails the call as a provider does, with an `APICallError` that says whether a retry can help.
 *
 * @param steps steps, or functions that make one from the request.
 * @param name the name of the model.
 * @throws TenterhookError `bad_script` for an invalid step; for a function's step when it is reached.
 * @example scriptedModel([{ tool_calls: [{ name: "Read", input: { file_path: "a.txt" } }] }, { text: "It is empty."
 *   }])
 */
export function scriptedModel(steps: readonly Script[], name = "script"): OpenedModel {
  return playingModel(steps, name).model;
}

/** A scripted model, and a function that sets its next step. */
export function playingModel(
  steps: readonly Script[],
  name: string,
): { readonly model: LanguageModelV3; readonly startAt: (step: number) => void } {
  for (const [index, step] of steps.entries()) if (typeof step !== "function") checked(step, index);
  const script = [...steps];
  const measure = promptMeter();
  let calls = 0;
  let toolCalls = 0;

  async function answer(request: ScriptRequest): Promise<ScriptedAnswer> {
    const { abortSignal: signal = new AbortController().signal } = request;
    signal.throwIfAborted();
    const index = calls;
    calls += 1;
    const written = script[index] ?? PAST_THE_END;
    const step =
      typeof written === "function"
        ? checked(await raceAbort(Promise.resolve(written(request)), signal), index)
        : written;
    await pause(step.delay_ms ?? 0, signal);
    if (step.error !== undefined) throw providerError(name, step.error);
    const size = measure(request.prompt);
    toolCalls = Math.max(toolCalls, size.toolCalls);
    const content: LanguageModelV3Content[] = [];
    if (step.text !== undefined && step.text !== "") content.push({ type: "text", text: step.text });
    for (const call of step.tool_calls ?? []) {
      toolCalls += 1;
      const toolCallId = call.id ?? `call_${toolCalls}`;
      content.push({
        type: "tool-call",
        toolCallId,
        toolName: call.name,
        input: JSON.stringify(call.input),
      });
    }
    return {
      id: `response_${index + 1}`,
      model: name,
      content,
      finishReason: content.some(({ type }) => type === "tool-call")
        ? { unified: "tool-calls", raw: "tool_calls" }
        : { unified: "stop", raw: "stop" },
      usage: usageOf(size.tokens, content),
    };
  }

  const model: LanguageModelV3 = {
    specificationVersion: "v3",
    provider: "scripted",
    modelId: name,
    supportedUrls: {},
    async doGenerate(request) {
      const { id, model, content, finishReason, usage } = await answer(request);
      return { content, finishReason, usage, warnings: [], response: { id, modelId: model } };
    },
    async doStream(request) {
      return { stream: answerStream(await answer(request), request.abortSignal) };
    },
  };
  const startAt = (step: number): void => {
    calls = step;
  };
  return { model, startAt };
}

function checked(step: unknown, index: number): ScriptStep {
  if (isStep(step)) return step;
  const issue = stepIssue(step);
  const sentence = issue === undefined ? "" : issueSentence(issue);
  throw new TenterhookError("bad_script", `Step ${index + 1} of the script: ${sentence}`);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) {
    // The timer rejects with an error of its own; callers expect the reason they gave.
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
  signal.throwIfAborted();
}

function providerError(name: string, { status, message }: { status: number; message: string }): APICallError {
  return new APICallError({
    message,
    url: `scripted:${name}`,
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: {},
    responseBody: JSON.stringify({ error: { message } }),
  });
}

function usageOf(input: number, content: readonly LanguageModelV3Content[]): LanguageModelV3Usage {
  const output = content.reduce((sum, part) => sum + tokensIn(JSON.stringify(part)), 0);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

interface ScriptedAnswer {
  readonly id: string;
  readonly model: string;
  readonly content: LanguageModelV3Content[];
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

const PIECE = /.{1,16}/gsu;

/**
 * Streams an answer as providers do: text and tool input in pieces, each tool call whole at its end. An abort errors
 * the stream with the reason of the signal.
 */
function answerStream(
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
