import { Agent, type AgentModel, type Tool } from "tenterhook/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { ANTHROPIC } from "../../../src/know/prove/model/anthropic-server.ts";
import { startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { echo, says, scratch, story } from "./agents.ts";
import { PDF, PNG } from "./files.ts";

interface Settings {
  readonly apiKey: string;
  readonly baseURL: string;
}

/** What holds for a model of the AI SDK, whichever version of the provider interface it has. */
export function providerSuite(version: string, open: (settings: Settings) => AgentModel): void {
  describe(`a model of the interface ${version}`, () => {
    it("runs: text, tools, usage, and how the answer ended", async () => {
      const server = await startModelServer(ANTHROPIC, [
        {
          text: "I look.",
          tool_calls: [{ id: "t1", ...says("a") }],
          usage: { input: 20, output: 5 },
        },
        { text: "Half an ans", too_long: true, usage: { input: 30, output: 6 } },
      ]);
      const model = open({ apiKey: server.key, baseURL: server.url });
      const agent = new Agent({ model, tools: [echo], cwd: scratch(), limits: { model_retries: 0 } });
      onTestFinished(async () => {
        await agent.close();
        await server.close();
      });
      expect(await agent.run("Go.")).toMatchObject({
        text: "Half an ans",
        stop_reason: "cut_off",
        finish_reason: "length",
        usage: { input_tokens: 50, output_tokens: 11 },
      });
      expect(story(agent.transcript())).toEqual([
        "user text: Go.",
        "assistant text: I look.",
        "assistant calls Echo",
        "tool answers: a",
        "assistant text: Half an ans",
      ]);
    });

    it("gets images and documents, in prompts and in results of tools", async () => {
      const server = await startModelServer(ANTHROPIC, [
        { tool_calls: [{ id: "t1", ...says("a") }] },
        { text: "A dot." },
      ]);
      const model = open({ apiKey: server.key, baseURL: server.url });
      const screenshot: Tool = {
        ...echo,
        run: async () => ({
          content: [
            { type: "image", data: PNG },
            { type: "file", data: PDF },
          ],
        }),
      };
      const agent = new Agent({
        model,
        tools: [screenshot],
        cwd: scratch(),
        limits: { model_retries: 0 },
        models: { prompt_caching: false },
      });
      onTestFinished(async () => {
        await agent.close();
        await server.close();
      });
      const prompt = [
        { type: "image", data: PNG },
        { type: "file", data: PDF, filename: "a.pdf" },
        { type: "image", data: "https://images.example/cat.png" },
      ] as const;
      expect(await agent.run(prompt)).toMatchObject({ text: "A dot.", stop_reason: "complete" });
      const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
      const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: PDF } };
      const messages = server.requests[1]?.body.messages;
      expect(messages).toMatchObject([
        {
          role: "user",
          content: [
            image,
            { ...pdf, title: "a.pdf" },
            { type: "image", source: { type: "url", url: "https://images.example/cat.png" } },
          ],
        },
        { role: "assistant" },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text" }, image, pdf] }],
        },
      ]);
    });
  });
}
