import { join } from "node:path";
import { Agent, scriptedModel, type Tool } from "tenterhook/agent";
import { jsonlStore, memoryStore, sqliteStore } from "tenterhook/stores";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentOf, echo, says, scratch } from "../support/agents.ts";
import { bytesIn, PDF, PNG } from "../support/files.ts";
import { protocol, servedAgent } from "../support/served.ts";

const screenshot: Tool = { ...echo, run: async () => ({ content: [{ type: "image", data: PNG }] }) };

const PROMPT = [
  { type: "text", text: "What is it?" },
  { type: "file", data: PDF, filename: "a.pdf" },
] as const;

/** What a model got in its last request, as one text. */
function lastRequest(): { model: ReturnType<typeof scriptedModel>; sent: () => string } {
  let sent = "";
  const model = scriptedModel([
    (request) => {
      sent = JSON.stringify(request.prompt);
      return { text: "Still there." };
    },
  ]);
  return { model, sent: () => sent };
}

const STORES = [
  ["memory", () => memoryStore()],
  ["JSON lines", () => jsonlStore({ dir: join(scratch(), "sessions") })],
  ["SQLite", () => sqliteStore({ file: join(scratch(), "sessions.db") })],
] as const;

describe.each(STORES)("images and files in a store of %s", (_, open) => {
  it("are there again after resume and in a fork", async () => {
    const store = open();
    onTestFinished(() => store.close());
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "A dot." }], {
      store,
      tools: [screenshot],
    });
    await agent.run(PROMPT);
    await agent.close();
    for (const again of ["resume", "fork"] as const) {
      const { model, sent } = lastRequest();
      const next = await Agent[again](agent.agent_id, { model, store, cwd: scratch(), tools: [screenshot] });
      onTestFinished(() => next.close());
      expect(next.transcript()[0]?.parts).toEqual([
        { type: "text", text: "What is it?" },
        { type: "file", media_type: "application/pdf", filename: "a.pdf", data: PDF },
      ]);
      expect(await next.run("And now?")).toMatchObject({ text: "Still there." });
      expect(sent()).toContain(PDF);
      expect(sent()).toContain(PNG);
    }
  });

  it("do not change when a secret looks like a part of them; texts beside them are cleaned", async () => {
    const store = open();
    onTestFinished(() => store.close());
    const secret = PNG.slice(20, 60);
    process.env.PIXEL_API_KEY = secret;
    onTestFinished(() => {
      delete process.env.PIXEL_API_KEY;
    });
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "A dot." }], {
      store,
      tools: [screenshot],
    });
    await agent.run([
      { type: "text", text: `The key is ${secret}.` },
      { type: "image", data: PNG },
    ]);
    const stored = await store.load(agent.agent_id);
    expect(stored?.messages[0]).toMatchObject({
      parts: [
        { type: "text", text: "The key is [redacted]." },
        { type: "file", media_type: "image/png", data: PNG },
      ],
    });
    expect(stored?.messages[2]).toMatchObject({ parts: [{ files: [{ data: PNG }] }] });
  });
});

describe("an agent that was killed before its prompt was a message", () => {
  it("has the files of the prompt when it continues", async () => {
    const store = jsonlStore({ dir: join(scratch(), "sessions") });
    onTestFinished(() => store.close());
    const agent = new Agent({ model: scriptedModel([]), store, cwd: scratch(), tools: [] });
    const unheard = {
      turn_id: "t1",
      input: {
        type: "prompt",
        text: "What is it?",
        parts: [
          { type: "text", text: "What is it?" },
          { type: "file", media_type: "image/png", data: PNG },
        ],
      },
    };
    const owner = { session_id: agent.session_id, agent_id: agent.agent_id };
    await store.save({ status: "running", unheard }, owner);
    await agent.close();
    const { model, sent } = lastRequest();
    const next = await Agent.resume(agent.agent_id, { model, store, cwd: scratch(), tools: [] });
    onTestFinished(() => next.close());
    expect(next.unfinished).toBe(true);
    expect(await next.continue()).toMatchObject({ text: "Still there." });
    expect(sent()).toContain(PNG);
  });
});

/** An image of so many bytes. */
function imageOf(bytes: number): Uint8Array {
  const image = new Uint8Array(bytes);
  image.set(Buffer.from(PNG, "base64"));
  return image;
}

describe("the length of a conversation", () => {
  it("counts an image as models do, not by its bytes", async () => {
    const { agent, hooks } = agentOf([{ text: "A dot." }, { text: "Fine." }], {
      context: { compaction: { threshold_tokens: 50_000 } },
    });
    const compacted: number[] = [];
    hooks.on("PreCompact", ({ token_count = 0 }) => {
      compacted.push(token_count);
    });
    await agent.run([{ type: "image", data: imageOf(1_000_000) }]);
    await agent.run("And now?");
    expect(compacted).toEqual([]);
  });

  it("grows with every image, until it is summarised; the summary is made without the bytes", async () => {
    const prompts: string[] = [];
    const { agent, hooks } = agentOf(
      [
        { text: "A dot." },
        (request) => {
          prompts.push(JSON.stringify(request.prompt));
          return { text: "SUMMARY" };
        },
        { text: "Fine." },
      ],
      { context: { compaction: { threshold_tokens: 3000, keep_tokens: 100 } } },
    );
    const counts: number[] = [];
    hooks.on("PreCompact", ({ token_count = 0 }) => {
      counts.push(token_count);
    });
    await agent.run([
      { type: "image", data: PNG },
      { type: "image", data: PNG },
    ]);
    expect(await agent.run("And now?")).toMatchObject({ text: "Fine." });
    expect(counts).toHaveLength(1);
    expect(prompts[0]).toContain(`[image/png of ${bytesIn(PNG)} bytes]`);
    expect(prompts[0]).not.toContain(PNG);
  });

  it("that a model refuses as too long gets shorter by its images, too", async () => {
    const overflow = { error: { status: 400, message: "prompt is too long: 300000 tokens > 200000" } };
    const { agent, server } = await servedAgent(
      protocol("Anthropic"),
      [
        { tool_calls: [{ id: "t1", ...says("a") }] },
        ...Array.from({ length: 12 }, () => (request: { readonly body: object }) => {
          const body = JSON.stringify(request.body);
          return body.includes(PNG) ? overflow : { text: "SUMMARY" };
        }),
      ],
      { tools: [screenshot] },
    );
    expect(await agent.run("Look.")).toMatchObject({ text: "SUMMARY", stop_reason: "complete" });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("image/png of");
  });
});
