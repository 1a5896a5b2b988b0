import type { ContentPart } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import { agentOf } from "../support/agents.ts";
import { bytesIn, bytesOf, PDF, PNG } from "../support/files.ts";
import { protocol, servedAgent } from "../support/served.ts";

const ADDRESS = "https://images.example/cat.png";

const PROMPT: readonly ContentPart[] = [
  { type: "text", text: "What is on the picture, and what in the document?" },
  { type: "image", data: bytesOf(PNG) },
  { type: "file", data: PDF, filename: "report.pdf" },
];

/** What a server got as the messages of the first request. */
async function sent(name: string, prompt: readonly ContentPart[]): Promise<unknown> {
  const { agent, server } = await servedAgent(protocol(name), [{ text: "A dot." }], {
    models: { prompt_caching: false },
  });
  expect(await agent.run(prompt)).toMatchObject({ text: "A dot.", stop_reason: "complete" });
  const [request] = server.requests;
  const { messages, input, contents } = request?.body ?? {};
  const list: unknown = messages ?? input ?? contents;
  const last: unknown = Array.isArray(list) ? list.at(-1) : undefined;
  return isRecord(last) ? (last.content ?? last.parts) : undefined;
}

const TEXT = "What is on the picture, and what in the document?";

describe("a prompt with an image and a document reaches", () => {
  it("Anthropic as image and document blocks", async () => {
    expect(await sent("Anthropic", PROMPT)).toEqual([
      { type: "text", text: TEXT },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: PDF },
        title: "report.pdf",
      },
    ]);
  });

  it("OpenAI's responses as input_image and input_file", async () => {
    expect(await sent("OpenAI", PROMPT)).toEqual([
      { type: "input_text", text: TEXT },
      { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
      {
        type: "input_file",
        filename: "report.pdf",
        file_data: `data:application/pdf;base64,${PDF}`,
      },
    ]);
  });

  it("Gemini as inline data", async () => {
    expect(await sent("Gemini", PROMPT)).toEqual([
      { text: TEXT },
      { inlineData: { mimeType: "image/png", data: PNG } },
      { inlineData: { mimeType: "application/pdf", data: PDF } },
    ]);
  });

  it("OpenAI's chat completions as image_url and file", async () => {
    expect(await sent("Ollama", PROMPT)).toEqual([
      { type: "text", text: TEXT },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
      {
        type: "file",
        file: { filename: "report.pdf", file_data: `data:application/pdf;base64,${PDF}` },
      },
    ]);
  });
});

describe("the address of an image is passed on and not fetched by us", () => {
  const prompt: readonly ContentPart[] = [
    { type: "text", text: "A cat?" },
    { type: "image", data: ADDRESS },
  ];

  it("to Anthropic, OpenAI and Gemini", async () => {
    expect(await sent("Anthropic", prompt)).toContainEqual({
      type: "image",
      source: { type: "url", url: ADDRESS },
    });
    expect(await sent("OpenAI", prompt)).toContainEqual({ type: "input_image", image_url: ADDRESS });
    expect(await sent("Gemini", prompt)).toContainEqual({
      fileData: { fileUri: ADDRESS, mimeType: "image/jpeg" },
    });
  });

  it("a model that takes no such address reads a sentence instead", async () => {
    expect(await sent("Ollama", prompt)).toEqual([
      { type: "text", text: "A cat?" },
      { type: "text", text: `[image at ${ADDRESS}, left out: this model does not take its address]` },
    ]);
  });
});

describe("the data of a file may be", () => {
  const png = { type: "file", media_type: "image/png", data: PNG };

  it.each<[string, ContentPart]>([
    ["bytes", { type: "image", data: bytesOf(PNG) }],
    ["a buffer", { type: "image", data: bytesOf(PNG).buffer }],
    ["base64", { type: "image", data: PNG }],
    ["a data: address", { type: "image", data: `data:image/png;base64,${PNG}` }],
    ["a data: URL", { type: "file", data: new URL(`data:image/png;base64,${PNG}`) }],
  ])("%s", async (_, part) => {
    const { agent } = agentOf([{ text: "A dot." }]);
    await agent.run([part]);
    expect(agent.transcript()[0]?.parts).toEqual([png]);
  });

  it("an image with a wrong media type: what the bytes are counts, because providers check it", async () => {
    const { agent } = agentOf([{ text: "A dot." }]);
    await agent.run([{ type: "image", data: PNG, media_type: "image/jpeg" }]);
    expect(agent.transcript()[0]?.parts).toEqual([png]);
  });

  it("text, which becomes text that hooks read and every model takes", async () => {
    const { agent, hooks } = agentOf([{ text: "Fine." }]);
    const prompts: string[] = [];
    hooks.on("UserPromptSubmit", ({ prompt }) => {
      prompts.push(prompt);
    });
    const notes = new TextEncoder().encode("Buy milk.\n");
    await agent.run([
      { type: "text", text: "Read." },
      { type: "file", data: notes, media_type: "text/plain", filename: "notes.txt" },
    ]);
    const text = '<file name="notes.txt">\nBuy milk.\n\n</file>';
    expect(agent.transcript()[0]?.parts).toEqual([
      { type: "text", text: "Read." },
      { type: "text", text },
    ]);
    expect(prompts).toEqual([`Read.\n${text}`]);
  });
});

describe("a prompt that can't be used is refused with a sentence that names the part", () => {
  it.each<[string, readonly unknown[], string]>([
    ["no parts", [], "run: there is no content"],
    ["an unknown kind", [{ type: "video", data: PNG }], 'content[0]: the type is "video"; it must be'],
    ["no data", [{ type: "image" }], "content[0]: data is missing"],
    ["a misspelt key", [{ type: "image", data: PNG, mediaType: "image/png" }], 'Did you mean "media_type"?'],
    ["no base64", [{ type: "image", data: "cat.png" }], "content[0]: data is neither base64"],
    ["an unknown image", [{ type: "image", data: "AAAAAAAA" }], "content[0]: media_type is missing"],
    ["a local address", [{ type: "image", data: "file:///cat.png" }], "read the file and give its bytes"],
    [
      "too many bytes",
      [{ type: "file", data: new Uint8Array(11_000_000), media_type: "application/zip" }],
      "content[0]: the file has 11000000 bytes; at most 10000000 are sent",
    ],
  ])("%s", async (_, prompt, message) => {
    const { agent } = agentOf([{ text: "Never said." }]);
    // Also for what the types refuse.
    const given = prompt as readonly ContentPart[];
    await expect(agent.run(given)).rejects.toThrow(message);
  });
});

describe("hooks", () => {
  it("see the text of the prompt and what is attached, without the bytes", async () => {
    const { agent, hooks } = agentOf([{ text: "A dot." }]);
    const seen: unknown[] = [];
    hooks.on("UserPromptSubmit", ({ prompt, attachments }) => {
      seen.push({ prompt, attachments });
    });
    await agent.run([...PROMPT, { type: "image", data: ADDRESS }]);
    expect(seen).toEqual([
      {
        prompt: TEXT,
        attachments: [
          { media_type: "image/png", bytes: bytesIn(PNG) },
          { media_type: "application/pdf", filename: "report.pdf", bytes: bytesIn(PDF) },
          { media_type: "image/*", url: ADDRESS },
        ],
      },
    ]);
  });

  it("that rewrite the prompt replace its text and keep what is attached", async () => {
    const { agent, hooks } = agentOf([{ text: "A dot." }]);
    const { rewrite } = await import("tenterhook");
    hooks.on("UserPromptSubmit", () => rewrite("Be brief."));
    await agent.run(PROMPT);
    expect(agent.transcript()[0]?.parts).toEqual([
      { type: "text", text: "Be brief." },
      { type: "file", media_type: "image/png", data: PNG },
      { type: "file", media_type: "application/pdf", filename: "report.pdf", data: PDF },
    ]);
  });

  it("can refuse what is attached", async () => {
    const { agent, hooks } = agentOf([{ text: "Never said." }]);
    const { deny } = await import("tenterhook");
    hooks.on("UserPromptSubmit", ({ attachments = [] }) =>
      attachments.length > 0 ? deny("No files here.") : undefined,
    );
    expect(await agent.run(PROMPT)).toMatchObject({ stop_reason: "denied", text: "No files here." });
    expect(agent.transcript()).toEqual([]);
  });
});
