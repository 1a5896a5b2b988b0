import { APICallError, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import { openModel } from "../../../src/agent/model/open-model.ts";
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { SERVED_MODELS, type ServedModel } from "../../support/model-servers/servers.ts";

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function served({ protocol, model, environment }: ServedModel, replies: readonly Reply[]) {
  const server = await startModelServer(protocol, replies);
  servers.push(server);
  return { server, model: await openModel(model, { environment: environment(server) }) };
}

const request = {
  prompt: [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: [{ type: "text" as const, text: "Hello?" }] },
  ],
  tools: [
    {
      type: "function" as const,
      name: "Read",
      description: "Reads a file.",
      inputSchema: {
        type: "object" as const,
        properties: { file_path: { type: "string" as const } },
        required: ["file_path"],
      },
    },
  ],
};

const failure = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => "it did not fail",
    (error: unknown) => error,
  );

interface StreamResult {
  text: string;
  deltas: number;
  readonly calls: unknown[];
  finish: string;
  input: number;
  output: number;
  failed: boolean;
}

/** What a stream says, as far as it comes; then its failure, if it has one. */
async function readStream(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<StreamResult> {
  const result = {
    text: "",
    deltas: 0,
    calls: [] as unknown[],
    finish: "",
    input: 0,
    output: 0,
    failed: false,
  };
  try {
    for await (const part of stream) {
      if (part.type === "text-delta") {
        result.text += part.delta;
        result.deltas += 1;
      }
      if (part.type === "tool-call") result.calls.push([part.toolName, JSON.parse(part.input)]);
      if (part.type === "error") result.failed = true;
      if (part.type === "finish") {
        result.finish = part.finishReason.unified;
        result.input = part.usage.inputTokens.total ?? -1;
        result.output = part.usage.outputTokens.total ?? -1;
      }
    }
  } catch {
    result.failed = true;
  }
  return result;
}

describe.each(SERVED_MODELS)("a model that speaks as %s does", (_, entry) => {
  const TEXT = "The hook holds. 🪝 Nothing else to say.";

  it("streams text in pieces, with its usage", async () => {
    const { server, model } = await served(entry, [{ text: TEXT, usage: { input: 21, output: 13 } }]);
    const { stream } = await model.doStream(request);
    const { deltas, ...rest } = await readStream(stream);
    expect(deltas).toBeGreaterThan(2);
    expect(rest).toEqual({ text: TEXT, calls: [], finish: "stop", input: 21, output: 13, failed: false });
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.body)).toContain("Be brief.");
  });

  it("calls tools, streamed and whole", async () => {
    const reply: Reply = {
      text: "I look.",
      tool_calls: [
        { id: "call_a", name: "Read", input: { file_path: "a b.txt" } },
        { id: "call_b", name: "Read", input: { file_path: 'quote".txt' } },
      ],
    };
    const { model } = await served(entry, [reply, reply]);
    const { stream } = await model.doStream(request);
    const calls = [
      ["Read", { file_path: "a b.txt" }],
      ["Read", { file_path: 'quote".txt' }],
    ];
    expect(await readStream(stream)).toMatchObject({
      text: "I look.",
      calls,
      finish: "tool-calls",
      failed: false,
    });
    const { content } = await model.doGenerate(request);
    expect(
      content.flatMap((part) => (part.type === "tool-call" ? [[part.toolName, JSON.parse(part.input)]] : [])),
    ).toEqual(calls);
  });

  it.each([
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [403, false],
  ])(
    "fails with the status %i, the message and the headers; another try can help: %s",
    async (status, isRetryable) => {
      const { model } = await served(entry, [
        { error: { status, message: "Not now.", headers: { "retry-after": "7" } } },
      ]);
      const error = await failure(model.doStream(request));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        message: "Not now.",
        statusCode: status,
        isRetryable,
        responseHeaders: { "retry-after": "7" },
      });
    },
  );

  it("refuses a wrong key", async () => {
    const server = await startModelServer(entry.protocol, [{ text: TEXT }]);
    servers.push(server);
    const environment = entry.environment({ ...server, key: "wrong" });
    const model = await openModel(entry.model, { environment });
    expect(await failure(model.doGenerate(request))).toMatchObject({ statusCode: 401, isRetryable: false });
  });

  it("has no usual end when the connection breaks, whole or streamed", async () => {
    const { model } = await served(entry, [
      { text: TEXT, cut: true },
      { text: TEXT, cut: true },
    ]);
    const { stream } = await model.doStream(request);
    const { failed, finish, text } = await readStream(stream);
    expect({ failed, finish, isBeginning: TEXT.startsWith(text) && text !== TEXT }).toEqual({
      failed: true,
      finish: expect.not.stringMatching(/^stop$/),
      isBeginning: true,
    });
    expect(await failure(model.doGenerate(request))).toBeInstanceOf(Error);
  });

  it("stops at once when it is told to", async () => {
    const { server, model } = await served(entry, [{ text: TEXT, after: new Promise(() => {}) }]);
    const stop = new AbortController();
    const asked = server.nextRequest();
    const answer = failure(model.doStream({ ...request, abortSignal: stop.signal }));
    await asked;
    const reason = new Error("enough");
    stop.abort(reason);
    expect(await answer).toBe(reason);
  });
});
