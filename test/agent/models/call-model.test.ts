import { describe, expect, it } from "vitest";
import { callModel } from "../../../src/agent/model/agent-model.ts";

/** A message that counts how often somebody reads it. */
function counted(text: string): { readonly message: object; readonly reads: () => number } {
  let reads = 0;
  const message = {
    role: "user",
    get content() {
      reads += 1;
      return [{ type: "text", text }];
    },
  };
  return { message, reads: () => reads };
}

/** Calls a model as often as a conversation grows by one message, and returns the texts of its last request. */
async function rounds(messages: readonly object[]): Promise<unknown> {
  let last: unknown;
  const model = {
    provider: "own",
    modelId: "own",
    doStream: async ({ prompt }: { readonly prompt: unknown }) => {
      last = prompt;
      return { stream: new ReadableStream() };
    },
  };
  for (let round = 1; round <= messages.length; round += 1)
    await callModel(model, { prompt: messages.slice(0, round) });
  return last;
}

describe("the requests of a conversation that grows", () => {
  it("read each message once, however many requests there are", async () => {
    const all = Array.from({ length: 100 }, (_, number) => counted(`message ${number}`));
    const read = await rounds(all.map(({ message }) => message)).then(() => all.map(({ reads }) => reads()));
    expect(read).toEqual(all.map(() => 1));
  });

  it("have no half of a surrogate pair, also when a message is sent again", async () => {
    const broken = { role: "user", content: [{ type: "text", text: "half \ud83d" }] };
    const fine = { role: "user", content: [{ type: "text", text: "whole" }] };
    expect(await rounds([broken, fine])).toEqual([
      { role: "user", content: [{ type: "text", text: "half \ufffd" }] },
      fine,
    ]);
  });
});
