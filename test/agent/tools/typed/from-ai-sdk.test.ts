import { tool as aiTool, jsonSchema } from "ai";
import { deny } from "tenterhook";
import { Agent, aiSdkTools, scriptedModel, tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { agentOf, story } from "../../support/agents.ts";
import { PNG } from "../../support/files.ts";

const weather = aiTool({
  description: "The weather of a city.",
  inputSchema: z.object({ city: z.string().min(2), unit: z.enum(["C", "F"]).default("C") }),
  execute: async ({ city, unit }) => ({ city, degrees: `21 ${unit}` }),
});

const call = (name: string, input: Readonly<Record<string, unknown>> = {}) => ({
  tool_calls: [{ name, input }],
});

/** What the model reads of calls of one tool. */
async function results(
  given: Parameters<typeof aiSdkTools>[0],
  ...inputs: readonly Readonly<Record<string, unknown>>[]
) {
  const [name = ""] = Object.keys(given);
  const { agent } = agentOf(
    inputs.map((input) => call(name, input)),
    { tools: aiSdkTools(given) },
  );
  await agent.run("go");
  return story(agent.transcript()).filter((line) => line.startsWith("tool "));
}

describe("tools of the AI SDK 6 in our agent", () => {
  it("are given as they are, by name, and pass the hooks", async () => {
    const { hooks } = agentOf([]);
    hooks.on("PreToolUse", ({ tool_input }) => (tool_input.city === "Bonn" ? deny("Not Bonn.") : undefined));
    let schema: unknown;
    const model = scriptedModel([
      ({ tools }) => {
        schema = tools;
        return call("weather", { city: "Bern" });
      },
      call("weather", { city: "Bonn" }),
      call("weather", { city: "B" }),
    ]);
    const agent = new Agent({ model, hooks, tools: { weather }, mode: "bypass" });
    onTestFinished(() => agent.close());
    await agent.run("go");
    expect(schema).toMatchObject([
      { name: "weather", description: "The weather of a city.", inputSchema: { required: ["city"] } },
    ]);
    expect(story(agent.transcript()).filter((line) => line.startsWith("tool "))).toEqual([
      'tool answers: {"city":"Bern","degrees":"21 C"}',
      "tool fails: Not Bonn.",
      expect.stringContaining("tool fails: "),
    ]);
  });

  it("ask first, as every tool that does not say that it only reads", async () => {
    const { agent } = agentOf([call("weather", { city: "Bern" })], {
      tools: aiSdkTools({ weather }),
      permissions: {},
    });
    await agent.run("go");
    expect(story(agent.transcript())[2]).toMatch(/^tool fails: .*nobody/);
  });

  it("continue a resumed and a forked session", async () => {
    const store = memoryStore();
    const { agent } = agentOf([{ text: "Hello." }], { store });
    await agent.run("go");
    await agent.close();
    const options = { store, tools: { weather }, mode: "bypass" as const };
    const model = () => scriptedModel([call("weather", { city: "Bern" })]);
    const resumed = await Agent.resume(agent.agent_id, { ...options, model: model() });
    onTestFinished(() => resumed.close());
    await resumed.run("go");
    expect(story(resumed.transcript())).toContain('tool answers: {"city":"Bern","degrees":"21 C"}');
    const forked = await Agent.fork(agent.agent_id, { ...options, model: model() });
    onTestFinished(() => forked.close());
    await forked.run("go");
    expect(story(forked.transcript())).toContain('tool answers: {"city":"Bern","degrees":"21 C"}');
  });

  it("have schemas of every kind", async () => {
    const inputSchema = jsonSchema<{ a: number }>({
      type: "object",
      properties: { a: { type: "number" } },
      required: ["a"],
    });
    const add = aiTool({ inputSchema, execute: async ({ a }) => a + 1 });
    expect(await results({ add }, { a: 1 }, { a: "x" })).toEqual([
      "tool answers: 2",
      expect.stringContaining("tool fails: "),
    ]);
    const later = { inputSchema: () => inputSchema, execute: async ({ a }: { a: number }) => a * 2 };
    expect(await results({ later }, { a: 4 })).toEqual(["tool answers: 8"]);
    const checked = aiTool({
      inputSchema: jsonSchema<{ a: number }>(
        { type: "object" },
        {
          validate: (value) =>
            JSON.stringify(value) === '{"a":1}'
              ? { success: true, value: { a: 5 } }
              : { success: false, error: new Error("only 1") },
        },
      ),
      execute: async ({ a }) => a,
    });
    expect(await results({ checked }, { a: 1 }, { a: 2 })).toEqual([
      "tool answers: 5",
      expect.stringMatching(/^tool fails: .*only 1/),
    ]);
  });

  it("get the id and the signal of the call; the last value of a generator is the result", async () => {
    const seen: unknown[] = [];
    const slow = aiTool({
      inputSchema: z.object({}),
      async *execute(_, { toolCallId, abortSignal, messages }) {
        seen.push(typeof toolCallId, abortSignal?.aborted, messages);
        yield "half";
        yield "all of it";
      },
    });
    expect(await results({ slow }, {})).toEqual(["tool answers: all of it"]);
    expect(seen).toEqual(["string", false, []]);
  });

  it.each([
    [{ type: "text", value: "short" }, "tool answers: short"],
    [{ type: "json", value: { a: 1 } }, 'tool answers: {"a":1}'],
    [{ type: "error-text", value: "broken" }, "tool fails: broken"],
    [{ type: "error-json", value: { b: 2 } }, 'tool fails: {"b":2}'],
    [{ type: "execution-denied", reason: "not now" }, "tool fails: not now"],
  ] as const)("say by toModelOutput what the model reads: %j", async (output, expected) => {
    const shown = aiTool({
      inputSchema: z.object({}),
      execute: async () => "long",
      toModelOutput: () => output,
    });
    expect(await results({ shown }, {})).toEqual([expected]);
  });

  it("return images and files", async () => {
    const data = Buffer.from(PNG).toString("base64");
    const shot = aiTool({
      inputSchema: z.object({}),
      execute: async () => "The page:",
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [
          { type: "text", text: output },
          { type: "image-data", data, mediaType: "image/png" },
        ],
      }),
    });
    const { agent } = agentOf([call("shot")], { tools: aiSdkTools({ shot }) });
    await agent.run("go");
    expect(JSON.stringify(agent.transcript())).toContain(data);
    expect(JSON.stringify(agent.transcript())).toContain("The page:");
  });

  it("ours among them stay what they are", () => {
    const clock = tool({
      name: "clock",
      description: "The time.",
      input: z.object({}),
      annotations: { read_only: true },
      run: () => "noon",
    });
    expect(aiSdkTools({ clock })).toEqual([clock]);
  });

  it.each([
    [
      { a: { inputSchema: z.object({}) } },
      "tools.a has no execute: a tool that somebody else runs can't be used here.",
    ],
    [
      { a: { ...weather, needsApproval: true } },
      'tools.a has needsApproval. Leave it out and give permissions: { ask: ["a"] } instead.',
    ],
    [{ a: null }, "tools.a is not a tool."],
    [{ a: { execute: () => 1 } }, 'tool "a": input must be a schema'],
    [
      { b: tool({ name: "a", description: "", input: z.object({}), run: () => "" }) },
      'tools.b is called "a". Give both the same name, or give the tools as a list.',
    ],
  ])("that can't be used are refused: %#", (tools, message) => {
    expect(() => Reflect.apply(aiSdkTools, undefined, [tools])).toThrow(message);
  });
});
