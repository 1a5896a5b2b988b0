import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { AgentModel, ModelPiece } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, echo, story } from "./support/agents.ts";

const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};

/** A model of one's own: each answer is what one of these generators yields. */
function ownModel(answers: readonly (() => AsyncGenerator<LanguageModelV3StreamPart>)[]): AgentModel {
  let asked = 0;
  return {
    provider: "own",
    modelId: "generator",
    doStream: async () => {
      const answer = answers[asked] ?? says("done");
      asked += 1;
      return { stream: answer() };
    },
  };
}

function says(text: string): () => AsyncGenerator<LanguageModelV3StreamPart> {
  return async function* () {
    yield { type: "text-delta", id: "0", delta: text };
    yield { type: "finish", usage: USAGE, finishReason: { unified: "stop", raw: "stop" } };
  };
}

async function* callsEcho(): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: "tool-call", toolCallId: "1", toolName: "Echo", input: '{"text":"a"}' };
  yield { type: "finish", usage: USAGE, finishReason: { unified: "tool-calls", raw: undefined } };
}

it("a model may answer with what an async generator yields", async () => {
  const { agent } = agentOf([], { model: ownModel([callsEcho, says("I see.")]) });
  const { text, usage } = await agent.run("go");
  expect([text, usage]).toMatchObject(["I see.", { input_tokens: 6, output_tokens: 4 }]);
  expect(story(agent.transcript())).toEqual([
    "user text: go",
    "assistant calls Echo",
    "tool answers: a",
    "assistant text: I see.",
  ]);
});

it("an interrupt ends a generator that waits for ever, and keeps what it said", async () => {
  const model = ownModel([
    async function* () {
      yield { type: "text-delta", id: "0", delta: "I think" };
      await new Promise(() => {});
    },
  ]);
  const { agent } = agentOf([], { model });
  const { stop_reason } = await agent.run("go", {
    onItem: (item) => {
      if (item.type === "text_delta") agent.interrupt();
    },
  });
  expect(stop_reason).toBe("cancelled");
  expect(story(agent.transcript())).toContain("assistant text: I think");
});

it.each([
  ["says more, which is closed", true],
  ["stays silent", false],
])("a generator that reported an error and then %s does not hold the agent up", async (_, goesOn) => {
  let closed = false;
  const model = ownModel([
    async function* () {
      try {
        yield { type: "error", error: new Error("It broke.") };
        if (!goesOn) await new Promise(() => {});
        yield { type: "finish", usage: USAGE, finishReason: { unified: "error", raw: undefined } };
      } finally {
        closed = true;
      }
    },
  ]);
  const { agent } = agentOf([], { model, limits: { model_retries: 0 } });
  const { stop_reason, usage } = await agent.run("go");
  expect([stop_reason, usage.input_tokens, closed]).toEqual(["error", goesOn ? 3 : 0, goesOn]);
});

it("an interrupt in the moment in which the answer begins ends it", async () => {
  let closed = false;
  const silent: AsyncIterable<LanguageModelV3StreamPart> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        closed = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const { agent } = agentOf([], {
    model: {
      provider: "own",
      modelId: "silent",
      doStream: () => {
        const answer = Promise.resolve({ stream: silent });
        // Behind the one who waits for the answer, and before it is read.
        answer.then(() => {}).then(() => agent.interrupt());
        return answer;
      },
    },
  });
  const { stop_reason } = await agent.run("go");
  expect([stop_reason, closed]).toEqual(["cancelled", true]);
});

it("a stream that has a reader and nothing else is read by that", async () => {
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    async start(controller) {
      for await (const piece of says("Read.")()) controller.enqueue(piece);
      controller.close();
    },
  });
  // As streams of other makers are, which the platform does not know.
  const foreign = Object.setPrototypeOf({ getReader: () => stream.getReader() }, null);
  const { agent } = agentOf([], {
    model: { provider: "own", modelId: "foreign", doStream: async () => ({ stream: foreign }) },
  });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "complete", text: "Read." });
});

it("a model never gets half a surrogate pair, from wherever it comes; the transcript keeps it", async () => {
  const sent: unknown[] = [];
  const model = {
    ...ownModel([]),
    doStream: async ({ prompt, tools }: { prompt: unknown; tools: unknown }) => {
      sent.push(prompt, tools);
      return { stream: sent.length === 2 ? callsEcho() : says("done")() };
    },
  } as AgentModel;
  const tool = {
    ...echo,
    description: "Echo \ud83d.",
    run: async () => ({ content: "cut \ud83d", data: { "\ude00": ["\ud83d\ude00"] } }),
  };
  const { agent } = agentOf([], { model, tools: [tool], system_prompt: "Be \udfff brief." });
  await agent.run("go \ud800 on");
  const text = JSON.stringify(sent);
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(
    ["Be \ufffd brief.", "go \ufffd on", "cut \ufffd", "Echo \ufffd."].every((one) => text.includes(one)),
  ).toBe(true);
  expect(JSON.stringify(agent.transcript())).toContain("cut \\ud83d");
});

const END: ModelPiece = { type: "finish", finishReason: "stop", usage: { inputTokens: 3, outputTokens: 2 } };
const call = { type: "tool-call", toolCallId: "1", toolName: "Echo" };

it.each<[string, unknown, string]>([
  [
    "a misspelt type",
    { type: "text-delt", id: "0", delta: "Hi" },
    'The model gave a piece of the type "text-delt", which does not exist. Did you mean "text-delta"?',
  ],
  [
    "a type of its own",
    { type: "weather" },
    'The model gave a piece of the type "weather", which does not exist.',
  ],
  [
    "a delta without text",
    { type: "text-delta", id: "0" },
    "The model gave a text-delta whose delta is missing; it must be a string.",
  ],
  [
    "an input that is not text",
    { ...call, input: { text: "a" } },
    "The model gave a tool-call whose input is an object; it must be a string with JSON.",
  ],
  [
    "a text in place of a piece",
    "Hi",
    "The model gave a string as a piece of its answer; a piece is an object with a type.",
  ],
  [
    "an end for a reason that nobody knows",
    { type: "finish", finishReason: "done" },
    'The model gave a finish whose finishReason is "done"; it must be one of stop, length, content-filter, tool-calls, error, interrupted, other, unknown.',
  ],
])("%s ends the run with a sentence, and is not tried again", async (_, piece, message) => {
  let asked = 0;
  const model: AgentModel = {
    provider: "own",
    modelId: "wrong",
    doStream: async () => {
      asked += 1;
      return {
        stream: (async function* () {
          yield piece as ModelPiece;
          yield END;
        })(),
      };
    },
  };
  const { agent } = agentOf([], { model });
  const result = await agent.run("go");
  expect(result).toMatchObject({ stop_reason: "error", error: { error_type: "invalid_response", message } });
  expect(asked).toBe(1);
});

it.each([
  ["a promise of something else", async () => ({}) as never],
  ["a promise of nothing", async () => undefined as never],
  ["nothing", () => undefined as never],
] as const)("a doStream that returns %s ends the run with a sentence", async (_, doStream) => {
  const { agent } = agentOf([], { model: { provider: "own", modelId: "none", doStream } });
  expect(await agent.run("go")).toMatchObject({
    stop_reason: "error",
    error: { message: expect.stringMatching(/^doStream of the model must return \{ stream \}/) },
  });
});

it("what is no model is refused where it is given", async () => {
  const wrong = { call: async () => "Hello." } as unknown as AgentModel;
  const must = "a language model (an object with provider, modelId and doStream) or its name.";
  const refused = (options: object) => expect(() => agentOf([], options)).toThrow(must);
  refused({ model: wrong });
  refused({ model: { provider: "own", modelId: "m", doGenerate: async () => ({}) } });
  refused({ models: { fallback: [wrong] } });
  const { agent } = agentOf([]);
  await expect(agent.switchModel(wrong)).rejects.toMatchObject({
    code: "invalid_option",
    message: `switchModel: the model is {}; it must be ${must}`,
  });
});
