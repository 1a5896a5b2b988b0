import { deny, rewrite } from "tenterhook";
import type { Tool, ToolResult } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import { agentOf, echo, promptTexts, says } from "../support/agents.ts";
import { bytesIn, JPEG, PDF, PNG } from "../support/files.ts";
import { protocol, servedAgent } from "../support/served.ts";

/** A tool that answers with this. */
const returning = (result: ToolResult): Tool => ({ ...echo, run: async () => result });

const SCREENSHOT: ToolResult = {
  content: [
    { type: "text", text: "The page:" },
    { type: "image", data: PNG },
    { type: "file", data: PDF, filename: "report.pdf" },
  ],
};

const MARKS = `The page:\n[image/png of ${bytesIn(PNG)} bytes]\n[report.pdf, application/pdf of ${bytesIn(PDF)} bytes]`;

/** What a server got as the messages of its last request, after a tool was called twice. */
async function sent(name: string, model?: string): Promise<readonly unknown[]> {
  const served = protocol(name);
  const { agent, server } = await servedAgent(
    model === undefined ? served : { ...served, model },
    [
      {
        tool_calls: [
          { id: "call_a", ...says("a") },
          { id: "call_b", ...says("b") },
        ],
      },
      { text: "A dot." },
    ],
    { models: { prompt_caching: false }, tools: [returning(SCREENSHOT)] },
  );
  expect(await agent.run("Look.")).toMatchObject({ text: "A dot.", stop_reason: "complete" });
  const { messages, input, contents } = server.requests[1]?.body ?? {};
  const list: unknown = messages ?? input ?? contents;
  return Array.isArray(list) ? list : [];
}

describe("images and files in a tool's result reach", () => {
  it("Anthropic in the result itself", async () => {
    const [user] = (await sent("Anthropic")).slice(-1);
    const content = [
      { type: "text", text: MARKS },
      { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: PDF } },
    ];
    expect(user).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_a", content },
        { type: "tool_result", tool_use_id: "call_b", content },
      ],
    });
  });

  it("OpenAI's responses in the output of the call", async () => {
    const [output] = (await sent("OpenAI")).filter(
      (item) => isRecord(item) && item.type === "function_call_output",
    );
    expect(output).toEqual({
      type: "function_call_output",
      call_id: "call_a",
      output: [
        { type: "input_text", text: MARKS },
        { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
        {
          type: "input_file",
          filename: "report.pdf",
          file_data: `data:application/pdf;base64,${PDF}`,
        },
      ],
    });
  });

  it("Gemini 3 in the response of the function", async () => {
    const parts = (await sent("Gemini", "google/gemini-3-flash-preview")).flatMap((message) =>
      isRecord(message) && Array.isArray(message.parts) ? message.parts : [],
    );
    expect(parts).toContainEqual({
      functionResponse: {
        id: "call_a",
        name: "Echo",
        response: { name: "Echo", content: MARKS },
        parts: [
          { inlineData: { mimeType: "image/png", data: PNG } },
          { inlineData: { mimeType: "application/pdf", data: PDF } },
        ],
      },
    });
  });

  it("chat completions in a message after all results, because a result can have text only", async () => {
    const files = [
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
      {
        type: "file",
        file: { filename: "report.pdf", file_data: `data:application/pdf;base64,${PDF}` },
      },
    ];
    expect((await sent("Ollama")).slice(-3)).toEqual([
      { role: "tool", tool_call_id: "call_a", content: MARKS },
      { role: "tool", tool_call_id: "call_b", content: MARKS },
      {
        role: "user",
        content: [{ type: "text", text: "From the results of your tool calls:" }, ...files, ...files],
      },
    ]);
  });
});

/** The result of a conversation in which a tool answers with this, and what hooks and listeners got. */
async function called(result: ToolResult) {
  const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }, { text: "Fine." }], {
    tools: [returning(result)],
  });
  const events: unknown[] = [];
  hooks.on("PostToolUse", ({ tool_response, attachments }) => {
    events.push({ tool_response, attachments });
  });
  const shown: unknown[] = [];
  await agent.run("Look.", {
    onItem: (item) => {
      if (item.type === "tool_result") shown.push(item.content);
    },
  });
  return { part: agent.transcript()[2]?.parts[0], events, shown };
}

describe("a result with files", () => {
  it("is in the transcript as text with marks and the files; hooks see what they are, without the bytes", async () => {
    const { part, events, shown } = await called(SCREENSHOT);
    expect(part).toMatchObject({
      type: "tool_result",
      content: MARKS,
      files: [
        { type: "file", media_type: "image/png", data: PNG },
        { type: "file", media_type: "application/pdf", filename: "report.pdf", data: PDF },
      ],
    });
    expect(shown).toEqual([MARKS]);
    expect(events).toEqual([
      {
        tool_response: MARKS,
        attachments: [
          { media_type: "image/png", bytes: bytesIn(PNG) },
          { media_type: "application/pdf", filename: "report.pdf", bytes: bytesIn(PDF) },
        ],
      },
    ]);
  });

  it("of texts alone is text", async () => {
    const { part } = await called({
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    });
    expect(part).toEqual({ type: "tool_result", tool_use_id: "call_1", tool_name: "Echo", content: "a\nb" });
  });

  it("that failed has marks that say so, because a failure is text for every provider", async () => {
    const { part } = await called({ content: [{ type: "image", data: PNG }], is_error: true });
    expect(part).toEqual({
      type: "tool_result",
      tool_use_id: "call_1",
      tool_name: "Echo",
      content: `[image/png of ${bytesIn(PNG)} bytes, left out: the call failed]`,
      is_error: true,
    });
  });

  it("that are too many has marks for the rest", async () => {
    const images = Array.from({ length: 22 }, () => ({ type: "image" as const, data: JPEG }));
    const { part } = await called({ content: images });
    expect(part).toMatchObject({ files: { length: 20 } });
    expect(part).toMatchObject({
      content: expect.stringMatching(/\[image\/jpeg of \d+ bytes, left out: a result has at most 20 files/),
    });
  });

  it("that can't be read is a failed call whose message says why", async () => {
    const { part } = await called({ content: [{ type: "image", data: "cat.png" }] });
    expect(part).toMatchObject({
      is_error: true,
      content: expect.stringContaining("Echo returned no valid result: content[0]: data is neither base64"),
    });
  });

  it("that has an unknown key is a failed call whose message names it", async () => {
    const misspelt = { content: "a", additional_contxt: "b" };
    expect((await called(misspelt)).part).toMatchObject({
      is_error: true,
      content:
        'Echo returned no valid result: "additional_contxt" is no key of a result, which has content, is_error, data, additional_context. Other values belong into data.',
    });
  });

  it.each([{}, { is_error: true }])("adds context to the conversation, once (%o)", async (failed) => {
    const prompts: (readonly string[])[] = [];
    const step = (reply: object) => (request: { prompt: Parameters<typeof promptTexts>[0] }) => {
      prompts.push(promptTexts(request.prompt));
      return reply;
    };
    const added = { content: "3 files", additional_context: "They are generated.", ...failed };
    const steps = [{ tool_calls: [says("a")] }, { tool_calls: [says("b")] }, { text: "Fine." }].map(step);
    const { agent } = agentOf(steps, { tools: [returning(added)] });
    await agent.run("Look.");
    expect(
      prompts.map((texts) => texts.filter((text) => text.includes("They are generated.")).length),
    ).toEqual([0, 1, 2]);
  });

  it("loses its context too when a hook rewrote it", async () => {
    const prompts: string[] = [];
    const { agent, hooks } = agentOf(
      [
        { tool_calls: [says("a")] },
        (request) => {
          prompts.push(...promptTexts(request.prompt));
          return { text: "Fine." };
        },
      ],
      { tools: [returning({ content: "key", additional_context: "The key is 42." })] },
    );
    hooks.on("PostToolUse", () => rewrite("Nothing to see."));
    await agent.run("Look.");
    expect(prompts.join()).toContain("Nothing to see.");
    expect(prompts.join()).not.toContain("42");
  });

  it("has none of its files when a hook rewrote it", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }, { text: "Fine." }], {
      tools: [returning(SCREENSHOT)],
    });
    hooks.on("PostToolUse", () => rewrite("Nothing to see."));
    await agent.run("Look.");
    expect(agent.transcript()[2]?.parts).toEqual([
      { type: "tool_result", tool_use_id: "call_1", tool_name: "Echo", content: "Nothing to see." },
    ]);
  });

  it("of work in the background is delivered with its files", async () => {
    const later: Tool = {
      ...echo,
      run: async (_, { host }) => {
        host.deliverLater?.(Promise.resolve(SCREENSHOT));
        return { content: "Later." };
      },
    };
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "Fine." }, { text: "Seen." }], {
      tools: [later],
    });
    await agent.run("Look.");
    const parts = agent.transcript().flatMap((message) => (message.role === "user" ? message.parts : []));
    expect(parts).toContainEqual({ type: "file", media_type: "image/png", data: PNG });
  });

  it("a hook can object to", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }, { text: "Fine." }], {
      tools: [returning(SCREENSHOT)],
    });
    hooks.on("PostToolUse", ({ attachments = [] }) =>
      attachments.some(({ media_type }) => media_type === "image/png") ? deny("No pictures.") : undefined,
    );
    await agent.run("Look.");
    expect(JSON.stringify(agent.transcript())).toContain("No pictures.");
  });
});

describe("a model that refuses files", () => {
  const unreadable = { error: { status: 400, message: "Could not process image." } };

  it("is asked again without them: a damaged image does not stop the session", async () => {
    const { agent, server } = await servedAgent(protocol("Anthropic"), [
      unreadable,
      { text: "I can't see it." },
      { text: "Hello." },
    ]);
    const notices: string[] = [];
    const result = await agent.run(
      [
        { type: "text", text: "What is it?" },
        { type: "image", data: JPEG },
      ],
      {
        onItem: (item) => {
          if (item.type === "notice") notices.push(item.text);
        },
      },
    );
    expect(result).toMatchObject({ text: "I can't see it.", stop_reason: "complete" });
    expect(notices).toEqual([
      "The model refused the images or files (Could not process image.). It is asked again without them.",
    ]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain(
      `[image/jpeg of ${bytesIn(JPEG)} bytes, left out: the model refused it]`,
    );
    expect(await agent.run("Hello?")).toMatchObject({ text: "Hello." });
    expect(server.requests).toHaveLength(3);
  });

  it("fails as ever when it was not because of them", async () => {
    const { agent } = await servedAgent(protocol("Anthropic"), [unreadable, unreadable]);
    expect(await agent.run([{ type: "image", data: PNG }])).toMatchObject({
      stop_reason: "error",
      error: { error_type: "invalid_request", message: "Could not process image." },
    });
  });

  it("gets a sentence for a type that it does not take", async () => {
    const { agent, server } = await servedAgent(protocol("OpenAI"), [{ text: "Fine." }]);
    await agent.run([{ type: "file", data: "UEsDBA==", media_type: "application/zip", filename: "a.zip" }]);
    expect(JSON.stringify(server.requests[0]?.body)).toContain(
      "[a.zip, application/zip of 4 bytes, left out: this model does not take this type]",
    );
  });
});
