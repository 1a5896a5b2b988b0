import { describe, expect, it } from "vitest";
import { Conversation } from "../../../src/agent/conversation/conversation.ts";
import type { MessageFromUser } from "../../../src/agent/messages/messages.ts";
import { sentTools, systemMessage } from "../../../src/agent/messages/prompt.ts";
import { callModel, type ModelCall } from "../../../src/agent/model/agent-model.ts";
import { askModelText } from "../../../src/agent/ready-made/ask-model.ts";

/** A model that keeps the requests it gets. */
function keepingModel() {
  const requests: ModelCall[] = [];
  const model = {
    provider: "own",
    modelId: "own",
    doStream: async (request: ModelCall) => {
      requests.push(request);
      return { stream: new ReadableStream({ start: (controller) => controller.close() }) };
    },
  };
  return { model, requests };
}

function said(text: string): MessageFromUser {
  const head = { id: text, turn_id: "1", created_at: "2026-01-01T00:00:00.000Z" };
  return { ...head, role: "user", source: "user", parts: [{ type: "text", text }] };
}

describe("the requests of a conversation that grows", () => {
  it("share its messages, which are converted once", async () => {
    const { model, requests } = keepingModel();
    const conversation = new Conversation();
    for (let round = 0; round < 10; round += 1) {
      conversation.add(said(`message ${round}`));
      await callModel(model, { prompt: conversation.prompt(undefined) });
    }
    const last = requests.at(-1)?.prompt ?? [];
    for (const { prompt } of requests) for (const [at, sent] of prompt.entries()) expect(sent).toBe(last[at]);
    expect(last).toHaveLength(10);
  });
});

describe("a request has no half of a surrogate pair", () => {
  it("in its messages and its system prompt", async () => {
    const { model, requests } = keepingModel();
    const conversation = new Conversation([said("half \ud83d")]);
    await callModel(model, { prompt: conversation.prompt(systemMessage("Be \udfff brief.")) });
    expect(requests[0]?.prompt).toEqual([
      { role: "system", content: "Be \ufffd brief." },
      { role: "user", content: [{ type: "text", text: "half \ufffd" }] },
    ]);
  });

  it("in the definitions of its tools", () => {
    const input_schema = { type: "object", properties: { "\ud83d": { description: "\ude00 \ud83d\ude00" } } };
    expect(sentTools([{ name: "Echo", description: "\ud83d", input_schema }])).toEqual([
      {
        type: "function",
        name: "Echo",
        description: "\ufffd",
        inputSchema: { type: "object", properties: { "\ufffd": { description: "\ufffd \ud83d\ude00" } } },
      },
    ]);
  });

  it("in its settings", async () => {
    const { model, requests } = keepingModel();
    const { signal } = new AbortController();
    await callModel(model, { prompt: [], stopSequences: ["\ud83d"], abortSignal: signal });
    expect(requests).toEqual([{ prompt: [], stopSequences: ["\ufffd"], abortSignal: signal }]);
    expect(requests[0]?.abortSignal).toBe(signal);
  });

  it("in what a ready-made hook asks", async () => {
    const { model, requests } = keepingModel();
    const asking = askModelText(model, "\ud83d", "\ude00", new AbortController().signal);
    await expect(asking).rejects.toThrow("broke off");
    expect(requests[0]?.prompt).toEqual([
      { role: "system", content: "\ufffd" },
      { role: "user", content: [{ type: "text", text: "\ufffd" }] },
    ]);
  });
});
