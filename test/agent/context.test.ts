import { context, createHooks, rewrite } from "tenterhook";
import { describe, expect, it } from "vitest";
import { agentOf, promptTexts, says, story } from "./support/agents.ts";

/** A script that calls a tool so often, and remembers every prompt it was given. */
function watched(rounds: number): { steps: Parameters<typeof agentOf>[0]; prompts: (readonly string[])[] } {
  const prompts: (readonly string[])[] = [];
  const steps = Array.from(
    { length: rounds + 1 },
    (_, at) => (request: { prompt: Parameters<typeof promptTexts>[0] }) => {
      prompts.push(promptTexts(request.prompt));
      return at < rounds ? { tool_calls: [says(String(at))] } : { text: "done" };
    },
  );
  return { steps, prompts };
}

const has = (text: string) => (prompt: readonly string[]) =>
  prompt.filter((line) => line.includes(text)).length;

describe("context", () => {
  it("defect 19: stays where it was put and is never repeated", async () => {
    const { steps, prompts } = watched(4);
    const { agent, hooks } = agentOf(steps);
    let given = false;
    hooks.on("PostToolUse", () => {
      if (given) return undefined;
      given = true;
      return context("remember this", { lifetime: "session" });
    });
    await agent.run("go");
    expect(prompts.map(has("remember this"))).toEqual([0, 1, 1, 1, 1]);
    const places = prompts
      .slice(1)
      .map((prompt) => prompt.findIndex((line) => line.includes("remember this")));
    expect(new Set(places)).toEqual(new Set([3]));
    for (const [at, prompt] of prompts.entries())
      expect(prompts[at + 1]?.slice(0, prompt.length) ?? prompt).toEqual(prompt);
  });

  it("lives for a request, a turn or the session", async () => {
    const { steps, prompts } = watched(1);
    const { agent, hooks } = agentOf([...steps, ...watched(0).steps]);
    hooks.on("UserPromptSubmit", ({ prompt }) =>
      prompt === "second"
        ? undefined
        : (["request", "turn", "session"] as const).map((lifetime) =>
            context(`for the ${lifetime}`, { lifetime }),
          ),
    );
    const second: (readonly string[])[] = prompts;
    await agent.run("first");
    expect(prompts.map(has("for the request"))).toEqual([1, 0]);
    expect(prompts.map(has("for the turn"))).toEqual([1, 1]);
    const before = second.length;
    const last = watched(0);
    const next = agentOf(last.steps, { hooks: createHooks(), session: { transcript: agent.transcript() } });
    await next.agent.run("second");
    expect(before).toBe(2);
    expect(last.prompts.map(has("for the session"))).toEqual([1]);
    expect(last.prompts.map(has("for the turn"))).toEqual([0]);
    expect(last.prompts.map(has("for the request"))).toEqual([0]);
  });

  it("that is for the model only is not in the transcript", async () => {
    const { steps, prompts } = watched(1);
    const { agent, hooks } = agentOf(steps);
    hooks.on("PreGeneration", () => context("just for you", { recorded: false }));
    await agent.run("go");
    expect(prompts.map(has("just for you"))).toEqual([1, 1]);
    expect(story(agent.transcript()).filter((line) => line.includes("just for you"))).toEqual([]);
  });

  it("of a session's start comes before the first prompt and stays", async () => {
    const { steps, prompts } = watched(0);
    const { agent, hooks } = agentOf([...steps, ...steps]);
    hooks.on("SessionStart", () => context("house rules"));
    await agent.run("one");
    await agent.run("two");
    expect(prompts.map(has("house rules"))).toEqual([1, 1]);
  });
});

describe("what hooks rewrite", () => {
  it("of a prompt is what the model and the transcript get", async () => {
    const { agent, hooks } = agentOf([{ text: "ok" }]);
    hooks.on("UserPromptSubmit", ({ prompt }) => rewrite(`${prompt}!`));
    await agent.run("go");
    expect(story(agent.transcript())).toEqual(["user text: go!", "assistant text: ok"]);
  });

  it("in PreIteration holds for that round only; the transcript keeps the originals", async () => {
    const { steps, prompts } = watched(1);
    const { agent, hooks } = agentOf(steps, { system_prompt: "be good" });
    hooks.on("PreIteration", ({ iteration }) =>
      iteration === 0
        ? rewrite({ messages: [{ role: "user", content: "something else" }], system_prompt: "be bad" })
        : undefined,
    );
    await agent.run("go");
    expect(prompts[0]).toEqual(['system: "be bad"', 'user: [{"type":"text","text":"something else"}]']);
    expect(prompts[1]?.slice(0, 2)).toEqual(['system: "be good"', 'user: [{"type":"text","text":"go"}]']);
    expect(story(agent.transcript())[0]).toBe("user text: go");
  });

  it("in PreIteration does not keep context of the same round from the model", async () => {
    const { steps, prompts } = watched(0);
    const { agent, hooks } = agentOf(steps);
    hooks.on("PreIteration", () => context("mind the gap", { lifetime: "request" }));
    hooks.on("PreIteration", () => rewrite({ messages: [{ role: "user", content: "something else" }] }));
    await agent.run("go");
    expect(prompts).toEqual([
      ['user: [{"type":"text","text":"something else"}]', 'user: [{"type":"text","text":"mind the gap"}]'],
    ]);
  });

  it("in PreGeneration holds for the turn, and what comes later follows it", async () => {
    const { steps, prompts } = watched(1);
    const { agent, hooks } = agentOf([...steps, ...watched(0).steps]);
    hooks.on("PreGeneration", ({ messages }) =>
      messages?.length === 1 ? rewrite({ messages: [{ role: "user", content: "else" }] }) : undefined,
    );
    await agent.run("go");
    expect(prompts.map((prompt) => [prompt.length, prompt[0]])).toEqual([
      [1, 'user: [{"type":"text","text":"else"}]'],
      [3, 'user: [{"type":"text","text":"else"}]'],
    ]);
    expect(story(agent.transcript())[0]).toBe("user text: go");
  });

  it("in PreModelRequest is what is sent", async () => {
    const { steps, prompts } = watched(0);
    const { agent, hooks } = agentOf(steps);
    hooks.on("PreModelRequest", () =>
      rewrite((request) => ({
        ...request,
        system_prompt: "new",
        messages: [{ role: "user", content: "x" }],
      })),
    );
    await agent.run("go");
    expect(prompts).toEqual([['system: "new"', 'user: [{"type":"text","text":"x"}]']]);
  });

  it.each([
    ["a key it does not have", { temprature: 0 }, /it has no temprature/],
    ["a setting at its top", { temperature: 0 }, /it has no temperature/],
    ["messages that are no list", { messages: "go" }, /the request, but messages .*a list of messages/],
    ["a system prompt that is none", { system_prompt: 1 }, /the request, but system_prompt .*a string/],
  ])(
    "in PreModelRequest with %s ends the turn with an error, and nothing is sent",
    async (_, change, message) => {
      const { steps, prompts } = watched(0);
      const { agent, hooks } = agentOf(steps);
      hooks.on("PreModelRequest", () => rewrite((request) => ({ ...request, ...change })));
      const { stop_reason, error } = await agent.run("go");
      expect([stop_reason, error?.error_type, prompts]).toEqual(["error", "invalid_request", []]);
      expect(error?.message).toMatch(message);
    },
  );

  it("to messages that are none ends the turn with an error", async () => {
    const { agent, hooks } = agentOf([{ text: "never" }]);
    hooks.on("PreIteration", () => rewrite({ messages: [{ role: "wizard" }] }));
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "error",
      error: { error_type: "invalid_messages" },
    });
  });
});
