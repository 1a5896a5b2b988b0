import { APICallError, type LanguageModelV3, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../../src/agent/model/scripted-model.ts";
import { thrown } from "../../support/thrown.ts";

const request = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello?" }] }] };

async function partsOf(model: LanguageModelV3, signal?: AbortSignal): Promise<LanguageModelV3StreamPart[]> {
  const { stream } = await model.doStream({ ...request, ...(signal && { abortSignal: signal }) });
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** The failure of a promise. */
const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => "it did not fail",
    (error: unknown) => error,
  );

describe("a scripted model", () => {
  it("streams text and tool input in pieces, then each call whole, then the usage", async () => {
    const model = scriptedModel([
      { text: "I look into the file.", tool_calls: [{ name: "Read", input: { file_path: "notes.txt" } }] },
    ]);
    expect(await partsOf(model)).toEqual([
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "response_1", modelId: "script" },
      { type: "text-start", id: "text_1" },
      { type: "text-delta", id: "text_1", delta: "I look into the " },
      { type: "text-delta", id: "text_1", delta: "file." },
      { type: "text-end", id: "text_1" },
      { type: "tool-input-start", id: "call_1", toolName: "Read" },
      { type: "tool-input-delta", id: "call_1", delta: '{"file_path":"no' },
      { type: "tool-input-delta", id: "call_1", delta: 'tes.txt"}' },
      { type: "tool-input-end", id: "call_1" },
      { type: "tool-call", toolCallId: "call_1", toolName: "Read", input: '{"file_path":"notes.txt"}' },
      {
        type: "finish",
        finishReason: { unified: "tool-calls", raw: "tool_calls" },
        usage: {
          inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 37, text: 37, reasoning: 0 },
        },
      },
    ]);
  });

  it("answers whole what it would stream, and done past the end", async () => {
    const model = scriptedModel([{ text: "Hello." }]);
    expect(await model.doGenerate(request)).toEqual({
      content: [{ type: "text", text: "Hello." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 8, text: 8, reasoning: 0 },
      },
      warnings: [],
      response: { id: "response_1", modelId: "script" },
    });
    expect((await model.doGenerate(request)).content).toEqual([{ type: "text", text: "done" }]);
    expect((await model.doGenerate(request)).content).toEqual([{ type: "text", text: "done" }]);
  });

  it("never cuts a character in two, and puts the pieces together to the same text", async () => {
    const text = "🪝".repeat(40);
    const parts = await partsOf(scriptedModel([{ text }]));
    const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.some((delta) => /\p{Surrogate}/u.test(delta))).toBe(false);
    expect(deltas.join("")).toBe(text);
  });

  it("asks a function for its step, with the request", async () => {
    const model = scriptedModel([
      ({ prompt }) => ({ text: `${prompt.length} message` }),
      async () => ({ text: "later" }),
    ]);
    expect((await model.doGenerate(request)).content).toEqual([{ type: "text", text: "1 message" }]);
    expect((await model.doGenerate(request)).content).toEqual([{ type: "text", text: "later" }]);
  });

  it("counts ids on from the tool calls the conversation holds, so that a resumed one has none twice", async () => {
    const model = scriptedModel([
      {
        tool_calls: [
          { name: "Glob", input: {}, id: "mine" },
          { name: "Read", input: {} },
        ],
      },
    ]);
    const input = { type: "tool-call", toolName: "Read", input: {} } as const;
    const { content } = await model.doGenerate({
      prompt: [
        {
          role: "assistant",
          content: [
            { ...input, toolCallId: "call_1" },
            { ...input, toolCallId: "call_2" },
          ],
        },
      ],
    });
    expect(content.map((part) => part.type === "tool-call" && part.toolCallId)).toEqual(["mine", "call_4"]);
  });

  it("are new in a conversation that began in another process, beside others", async () => {
    const model = scriptedModel([{ tool_calls: [{ name: "Read", input: {} }] }]);
    const part = { type: "tool-call", toolCallId: "call_17", toolName: "Read", input: {} } as const;
    const { content } = await model.doGenerate({ prompt: [{ role: "assistant", content: [part] }] });
    expect(content).toMatchObject([{ toolCallId: "call_18" }]);
  });

  it.each([
    [429, true],
    [503, true],
    [400, false],
    [401, false],
  ])("fails with the status %i as providers do; another try can help: %s", async (status, isRetryable) => {
    const model = scriptedModel([{ error: { status, message: "No." } }, { text: "Yes." }]);
    const error = await failure(model.doStream(request));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ message: "No.", statusCode: status, isRetryable });
    expect((await model.doGenerate(request)).content).toEqual([{ type: "text", text: "Yes." }]);
  });
});

describe("an abort", () => {
  it("ends a delay, a function that never answers, and a stream, each with the reason of the signal", async () => {
    const reason = new Error("enough");
    for (const step of [{ text: "x", delay_ms: 600_000 }, () => new Promise<never>(() => {})]) {
      const stop = new AbortController();
      const answer = failure(scriptedModel([step]).doGenerate({ ...request, abortSignal: stop.signal }));
      stop.abort(reason);
      expect(await answer).toBe(reason);
    }
    const stop = new AbortController();
    const { stream } = await scriptedModel([{ text: "x".repeat(100) }]).doStream({
      ...request,
      abortSignal: stop.signal,
    });
    const reader = stream.getReader();
    await reader.read();
    stop.abort(reason);
    expect(await failure(reader.read())).toBe(reason);
  });

  it("before the call takes no step of the script", async () => {
    const model = scriptedModel([{ text: "first" }]);
    const reason = new Error("enough");
    expect(await failure(model.doGenerate({ ...request, abortSignal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect((await model.doGenerate(request)).content).toEqual([{ type: "text", text: "first" }]);
  });
});

describe("a step that can't be played is refused", () => {
  it("also when JSON can't carry what is in it", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const script = (text: unknown) => () => Reflect.apply(scriptedModel, undefined, [[{ text }]]);
    const refused = (text: string) => [
      "bad_script",
      `Step 1 of the script: text is ${text}; it must be a string.`,
    ];
    expect(thrown(script(circle))).toEqual(refused('{"self":"[circular]"}'));
    expect(thrown(script(5n))).toEqual(refused("5n"));
  });

  it.each<[unknown, string]>([
    ["hello", 'It is "hello"; it must be an object with text, tool_calls or error.'],
    [{}, "It needs text, tool_calls or error."],
    [{ txt: "x" }, 'It has the unknown key "txt". Did you mean "text"?'],
    [{ text: 5 }, "text is 5; it must be a string."],
    [
      { tool_calls: { name: "Read" } },
      'tool_calls is {"name":"Read"}; it must be a list of { name, input, id? }.',
    ],
    [{ tool_calls: [{ input: {} }] }, "tool_calls[0].name is missing; it must be a non-empty string."],
    [{ tool_calls: [{ name: "Read", input: "x" }] }, 'tool_calls[0].input is "x"; it must be an object.'],
    [
      { error: { status: 200, message: "" } },
      "error.status is 200; it must be a whole number from 400 to 599.",
    ],
    [{ error: { status: 500 } }, "error.message is missing; it must be a string."],
    [{ text: "x", error: { status: 500, message: "" } }, "error must come without text and tool_calls."],
    [{ text: "x", delay_ms: -1 }, "delay_ms is -1; it must be a number of milliseconds from 0 to 600000."],
  ])("%j", async (step, sentence) => {
    const expected = ["bad_script", `Step 2 of the script: ${sentence}`];
    const script = (second: unknown) => () =>
      Reflect.apply(scriptedModel, undefined, [[{ text: "x" }, second]]);
    expect(thrown(script(step))).toEqual(expected);
    const made: LanguageModelV3 = script(() => step)();
    await made.doGenerate(request);
    const error = await failure(made.doGenerate(request));
    expect(
      thrown(() => {
        throw error;
      }),
    ).toEqual(expected);
  });
});
