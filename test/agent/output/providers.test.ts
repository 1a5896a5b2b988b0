import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "tenterhook/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../../src/know/prove/model/openai-chat-server.ts";
import { scratch } from "../support/agents.ts";
import { protocol, servedAgent } from "../support/served.ts";

const City = z.object({ name: z.string(), people: z.number() });
const BERN = '{"name":"Bern","people":134794}';

const CLOSED = {
  type: "object",
  properties: { name: { type: "string" }, people: { type: "number" } },
  required: ["name", "people"],
  additionalProperties: false,
};

/** The body of the request in which a model was asked for this. */
async function asked(name: string, schema: z.ZodType = City, tools = true) {
  const { agent, server } = await servedAgent(protocol(name), [{ text: BERN }], tools ? {} : { tools: [] });
  expect(await agent.run("The capital?", { output: schema })).toMatchObject({
    stop_reason: "complete",
    output: { name: "Bern", people: 134_794 },
  });
  return server.requests[0]?.body ?? {};
}

describe("the schema is sent as the provider's response format", () => {
  it("to Anthropic", async () => {
    const body = await asked("Anthropic");
    expect(body.output_format ?? body.output_config).toMatchObject(
      "output_format" in body
        ? { type: "json_schema", schema: CLOSED }
        : { format: { type: "json_schema", schema: CLOSED } },
    );
  });

  it("to OpenAI, strict where OpenAI takes the schema so", async () => {
    expect((await asked("OpenAI")).text).toMatchObject({
      format: { type: "json_schema", strict: true, schema: CLOSED },
    });
    const loose = City.extend({ mayor: z.string().optional() });
    expect((await asked("OpenAI", loose)).text).toMatchObject({
      format: { type: "json_schema", strict: false },
    });
  });

  it("to Gemini 2 without tools, because it does not take both", async () => {
    expect((await asked("Gemini", City, false)).generationConfig).toMatchObject({
      responseMimeType: "application/json",
      responseSchema: { type: "object", required: ["name", "people"] },
    });
    expect((await asked("Gemini")).generationConfig ?? {}).not.toHaveProperty("responseMimeType");
  });

  it("to chat completions without tools; with tools, the instructions have to do", async () => {
    expect((await asked("Ollama", City, false)).response_format).toMatchObject({
      type: "json_schema",
      json_schema: { schema: CLOSED },
    });
    const body = await asked("Ollama");
    expect(body).not.toHaveProperty("response_format");
    expect(JSON.stringify(body)).toContain("JSON Schema");
  });

  it("not to a model that says it knows no schemas", async () => {
    const { server, model } = await compatible();
    const agent = new Agent({ model, tools: [], cwd: scratch() });
    onTestFinished(() => agent.close());
    expect(await agent.run("The capital?", { output: City })).toMatchObject({ stop_reason: "complete" });
    expect(server.requests[0]?.body).not.toHaveProperty("response_format");
  });
});

/** A model of the AI SDK's provider for servers that are like OpenAI, as it is without options. */
async function compatible() {
  const server = await startModelServer(OPENAI_CHAT, [{ text: BERN }]);
  onTestFinished(() => server.close());
  const { url: baseURL, key: apiKey } = server;
  return { server, model: createOpenAICompatible({ name: "own", baseURL, apiKey })("model") };
}
