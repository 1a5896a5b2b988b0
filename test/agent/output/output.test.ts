import { join } from "node:path";
import { deny, keepGoing } from "tenterhook";
import { Agent, type AgentResult, type StandardSchema, scriptedModel } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { z } from "zod";
import { agentOf, says, scratch, story } from "../support/agents.ts";

const City = z.object({ name: z.string(), people: z.number().int() });
const BERN = '{"name":"Bern","people":134794}';
const bern = { name: "Bern", people: 134_794 };

describe("a run with an output schema", () => {
  it("has a typed output", async () => {
    const { agent } = agentOf([{ text: BERN }]);
    const result = await agent.run("The capital?", { output: City });
    expect(result).toMatchObject({ stop_reason: "complete", output: bern, text: BERN, iterations: 1 });
    if (result.stop_reason === "complete")
      expectTypeOf(result.output).toEqualTypeOf<{ name: string; people: number }>();
    expectTypeOf(result).toExtend<AgentResult>();
  });

  it("has the output of the schema: defaults and conversions are applied", async () => {
    const schema = z.object({
      at: z.iso.date().transform((text) => new Date(text)),
      tags: z.array(z.string()).default([]),
    });
    const { agent } = agentOf([{ text: '{"at":"2026-01-02"}' }]);
    const result = await agent.run("When?", { output: schema });
    expect(result.output).toEqual({ at: new Date("2026-01-02"), tags: [] });
  });

  it("tells the model the schema, at the end of the prompt and for this turn alone", async () => {
    const prompts: string[] = [];
    const seen = (text: string) => (request: { readonly prompt: unknown }) => {
      prompts.push(JSON.stringify(request.prompt));
      return { text };
    };
    const { agent } = agentOf([seen(BERN), seen("Hello.")]);
    await agent.run("The capital?", { output: City });
    await agent.run("Hello?");
    expect(prompts[0]).toContain("Answer with JSON alone that fits this JSON Schema");
    expect(prompts[0]).toContain("people");
    expect(prompts[1]).not.toContain("JSON Schema");
  });

  it("takes JSON in a code fence", async () => {
    const { agent } = agentOf([{ text: `\`\`\`json\n${BERN}\n\`\`\`` }]);
    expect((await agent.run("The capital?", { output: City })).output).toEqual(bern);
  });

  it("works after calls of tools", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: BERN }]);
    expect(await agent.run("The capital?", { output: City })).toMatchObject({ output: bern, iterations: 2 });
  });

  it("streams as ever; the result is in done", async () => {
    const { agent } = agentOf([{ text: BERN }]);
    const items = [];
    for await (const item of agent.stream("The capital?", { output: City })) items.push(item);
    expect(items.at(-1)).toMatchObject({ type: "done", result: { output: bern, stop_reason: "complete" } });
    expect(items.some(({ type }) => type === "text_delta")).toBe(true);
  });
});

describe("an answer that does not fit", () => {
  it("is asked for again, with what is wrong", async () => {
    const { agent } = agentOf([
      { text: "Bern." },
      { text: '{"name":"Bern","people":"many"}' },
      { text: BERN },
    ]);
    expect(await agent.run("The capital?", { output: City })).toMatchObject({ output: bern, iterations: 3 });
    expect(story(agent.transcript()).filter((line) => line.startsWith("user text"))).toEqual([
      "user text: The capital?",
      "user text: Your answer is not JSON. Answer again with the whole JSON alone.",
      "user text: Your answer does not fit the schema: people: Invalid input: expected number, received string. Answer again with the whole JSON alone.",
    ]);
  });

  it("ends the run after the last try, with a stop reason of its own", async () => {
    const { agent } = agentOf([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }]);
    const result = await agent.run("The capital?", { output: City });
    expect(result).toMatchObject({
      stop_reason: "invalid_output",
      text: "c",
      reason: "The answer is not JSON, after 3 tries.",
      iterations: 3,
    });
    expect(result).not.toHaveProperty("output");
  });

  it("is asked for as often as limits.output_retries says", async () => {
    const { agent } = agentOf([{ text: "a" }, { text: "b" }], { limits: { output_retries: 0 } });
    expect(await agent.run("The capital?", { output: City })).toMatchObject({
      stop_reason: "invalid_output",
      iterations: 1,
    });
  });

  it("is not asked for again when it was cut off or refused", async () => {
    const { agent } = agentOf([{ text: BERN }]);
    const controller = new AbortController();
    controller.abort();
    expect(await agent.run("The capital?", { output: City, signal: controller.signal })).toMatchObject({
      stop_reason: "cancelled",
    });
  });

  it("at the iteration limit is the end", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "nothing" }, { text: BERN }], {
      limits: { iterations: 1 },
    });
    const result = await agent.run("The capital?", { output: City });
    expect(result).toMatchObject({ stop_reason: "limit", text: "nothing" });
    expect(result).not.toHaveProperty("output");
  });
});

describe("Stop hooks", () => {
  it("see an answer that fits; when they keep the agent going, its next answer must fit again", async () => {
    const { agent, hooks } = agentOf([{ text: "no" }, { text: BERN }, { text: "nope" }, { text: BERN }]);
    const seen: unknown[] = [];
    hooks.on("Stop", ({ last_assistant_message, continuations = 0 }) => {
      seen.push(last_assistant_message);
      return continuations === 0 ? keepGoing("Check it.") : undefined;
    });
    expect(await agent.run("The capital?", { output: City })).toMatchObject({ output: bern, iterations: 4 });
    expect(seen).toEqual([BERN, BERN]);
  });

  it("that refuse the prompt leave no output", async () => {
    const { agent, hooks } = agentOf([{ text: BERN }]);
    hooks.on("UserPromptSubmit", () => deny("No."));
    expect(await agent.run("The capital?", { output: City })).not.toHaveProperty("output");
  });
});

describe("resume", () => {
  it("continues with an output, also when there is nothing left to do", async () => {
    const store = jsonlStore({ dir: join(scratch(), "sessions") });
    onTestFinished(() => store.close());
    const { agent } = agentOf([{ text: BERN }], { store });
    await agent.run("The capital?");
    await agent.close();
    const next = await Agent.resume(agent.agent_id, { model: scriptedModel([]), store, cwd: scratch() });
    onTestFinished(() => next.close());
    const result = await next.continue({ output: City });
    expect(result).toMatchObject({ stop_reason: "complete", output: bern });
    if (result.stop_reason === "complete") expectTypeOf(result.output.people).toEqualTypeOf<number>();
  });

  it("of a killed turn asks again for an answer that does not fit", async () => {
    const store = jsonlStore({ dir: join(scratch(), "sessions") });
    onTestFinished(() => store.close());
    const { agent } = agentOf([{ text: "no JSON" }], { store });
    await agent.run("The capital?");
    await store.save({ status: "running" }, { session_id: agent.session_id, agent_id: agent.agent_id });
    await agent.close();
    const model = scriptedModel([{ text: BERN }]);
    const next = await Agent.resume(agent.agent_id, { model, store, cwd: scratch() });
    onTestFinished(() => next.close());
    expect(await next.continue({ output: City })).toMatchObject({ output: bern });
  });
});

/** A Standard Schema of nobody's library. */
const positive: StandardSchema<number, string> = {
  "~standard": {
    version: 1,
    vendor: "own",
    validate: async (value) =>
      typeof value === "number" && value > 0
        ? { value: `+${value}` }
        : { issues: [{ message: "must be positive", path: [{ key: "a" }, 0] }] },
    jsonSchema: { input: () => ({ type: "number" }), output: () => ({ type: "string" }) },
  },
};

describe("a schema", () => {
  it("may be any Standard Schema", async () => {
    const { agent } = agentOf([{ text: "-1" }, { text: "3" }]);
    const result = await agent.run("A number?", { output: positive });
    expect(result.output).toBe("+3");
    if (result.stop_reason === "complete") expectTypeOf(result.output).toEqualTypeOf<string>();
    expect(JSON.stringify(agent.transcript())).toContain("a.0: must be positive");
  });

  it("may be a JSON Schema", async () => {
    const { agent } = agentOf([{ text: "[1]" }, { text: '["a"]' }]);
    const output = { type: "array", items: { type: "string" } };
    const result = await agent.run("Words?", { output });
    expect(result.output).toEqual(["a"]);
    expectTypeOf(result.output).toEqualTypeOf<unknown>();
  });

  it("that can't say its JSON Schema takes one beside it", async () => {
    const { "~standard": standard } = positive;
    const { jsonSchema: _, ...silent } = standard;
    const schema: StandardSchema<number, string> = { "~standard": silent };
    const { agent } = agentOf([{ text: "3" }]);
    await expect(agent.run("A number?", { output: schema })).rejects.toThrow(
      'run: output: the schema of "own" does not say its JSON Schema. Give { schema, json_schema } instead.',
    );
    const result = await agent.run("A number?", { output: { schema, json_schema: { type: "number" } } });
    expect(result.output).toBe("+3");
  });

  it.each<[string, unknown, string]>([
    ["a text", "object", "run: output must be a schema"],
    ["no schema", { nonsense: true }, "run: output must be a schema"],
    [
      "one that JSON Schema can't describe",
      z.date(),
      "run: output: the schema has no JSON Schema: Date cannot",
    ],
  ])("is refused when it is %s", async (_, output, message) => {
    const { agent } = agentOf([{ text: "3" }]);
    // Also for what the types refuse.
    await expect(agent.run("A number?", { output: output as StandardSchema })).rejects.toThrow(message);
  });
});
