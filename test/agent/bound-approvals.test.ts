import { answer, ask, createHooks, deny, rewrite } from "tenterhook";
import { Agent, type AgentOptions, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, counting, says, story } from "./support/agents.ts";

const asks = { check: () => ({ action: "ask" }) as const };
const two = {
  tool_calls: [
    { ...says("a", "Do"), id: "A" },
    { ...says("b", "Do"), id: "B" },
  ],
};

function waiting(steps: Parameters<typeof scriptedModel>[0], options: Partial<AgentOptions> = {}) {
  const { tool, ran } = counting("Do");
  const { agent, hooks } = agentOf(steps, { tools: [tool], permissions: asks, suspend: true, ...options });
  return { agent, hooks, ran };
}

describe("an answer names the call it is for", () => {
  it("a second answer to an answered call is an error and approves nothing else", async () => {
    const { agent, ran } = waiting([two, { text: "Done." }]);
    await agent.run("Go.");
    const yes = { tool_use_id: "A", approval: true } as const;
    expect(await agent.continue(yes)).toMatchObject({ waiting_for: { tool_use_id: "B" } });
    await expect(agent.continue(yes)).rejects.toMatchObject({
      code: "not_waiting",
      message:
        "The call A does not wait for this answer: Do (B) is the call that waits. Nothing was approved.",
    });
    expect([ran, agent.waiting_for]).toMatchObject([[], { tool_use_id: "B" }]);
    await agent.continue({ tool_use_id: "B", approval: false });
    expect(ran).toEqual(["a"]);
    await expect(agent.continue(yes)).rejects.toMatchObject({ code: "not_waiting" });
  });

  it("an answer without a call is an error, and so is a call without an answer", async () => {
    const { agent, ran } = waiting([two]);
    await agent.run("Go.");
    const unnamed = Object({ approval: true });
    await expect(agent.continue(unnamed)).rejects.toMatchObject({ code: "invalid_option" });
    const empty = Object({ tool_use_id: "A" });
    await expect(agent.continue(empty)).rejects.toMatchObject({ code: "invalid_answer" });
    expect(ran).toEqual([]);
  });

  it("a call that a model gives an id it has used before gets another one", async () => {
    const call = (text: string) => ({ tool_calls: [{ ...says(text, "Do"), id: "c" }] });
    const { agent, ran } = waiting([call("first"), call("second"), { text: "Done." }]);
    await agent.run("Go.");
    const late = { tool_use_id: "c", approval: true } as const;
    const { waiting_for } = await agent.continue(late);
    expect(waiting_for).toMatchObject({ tool_input: { text: "second" } });
    await expect(agent.continue(late)).rejects.toMatchObject({ code: "not_waiting" });
    expect([ran, waiting_for?.tool_use_id]).toEqual([["first"], "c-2"]);
  });

  it("a late answer does not count for the input that a hook made of the call since", async () => {
    const hooks = createHooks();
    let file = 1;
    hooks.on("PreToolUse", () => rewrite({ text: `rm ${file}` }));
    const { agent, ran } = waiting([two], { hooks });
    await agent.run("Go.");
    file = 2;
    const yes = { tool_use_id: "A", approval: true } as const;
    expect(await agent.continue(yes)).toMatchObject({
      waiting_for: { tool_use_id: "A", tool_input: { text: "rm 2" }, ask: 2 },
    });
    await expect(agent.continue(yes)).rejects.toMatchObject({
      code: "not_waiting",
      message: expect.stringContaining("it was answered, and asks something else now"),
    });
    expect(ran).toEqual([]);
    await agent.continue({ ...yes, ask: 2 });
    await agent.continue({ tool_use_id: "B", approval: true });
    expect(ran).toEqual(["rm 2", "rm 2"]);
  });

  it("the permission of a plan does not approve the plan", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", ({ tool_name }) => (tool_name === "ExitPlanMode" ? ask("sure?") : undefined));
    const plan = { tool_calls: [{ name: "ExitPlanMode", input: { plan: "p" }, id: "P" }] };
    const { agent } = agentOf([plan], { hooks, tools: defaultTools(), suspend: true, mode: "plan" });
    await agent.run("Go.");
    const yes = { tool_use_id: "P", approval: true } as const;
    expect(await agent.continue(yes)).toMatchObject({ waiting_for: { type: "plan", ask: 2 } });
    await expect(agent.continue(yes)).rejects.toMatchObject({ code: "not_waiting" });
    expect(agent.waiting_for?.type).toBe("plan");
  });
});

describe("a value that is not understood is an error, never a no", () => {
  it.each([["sure"], [{ decision: "once" }], [{ allow: "yes" }], [1], [null]])(
    "of continue: %j; the agent still waits",
    async (approval) => {
      const { agent, ran } = waiting([two]);
      await agent.run("Go.");
      const reply = Object({ tool_use_id: "A", approval });
      await expect(agent.continue(reply)).rejects.toMatchObject({
        code: "invalid_answer",
        message: expect.stringContaining("continue: Do (A): the answer is "),
      });
      expect([ran, agent.waiting_for]).toMatchObject([[], { tool_use_id: "A" }]);
    },
  );

  it("of approval: the run ends with the error, and nothing ran", async () => {
    const { agent, ran } = waiting([two, { text: "Done." }], {
      approval: () => Object({ decision: "once" }),
    });
    expect(await agent.run("Go.")).toMatchObject({
      stop_reason: "error",
      error: { error_type: "invalid_answer", message: expect.stringContaining('{"decision":"once"}') },
    });
    expect([ran, story(agent.transcript()).join()]).toEqual([[], expect.not.stringContaining("refused")]);
  });

  it("of a hook on AgentPrompt: the same", async () => {
    const hooks = createHooks();
    hooks.on("AgentPrompt", () => answer("whatever you think"));
    const { agent, ran } = waiting([two], { hooks });
    expect(await agent.run("Go.")).toMatchObject({ error: { error_type: "invalid_answer" } });
    expect(ran).toEqual([]);
  });
});

describe("approving may edit the input", () => {
  const edit = { tool_use_id: "A", approval: { allow: true, input: { text: "edited" } } } as const;
  const one = { tool_calls: [{ ...says("a", "Do"), id: "A" }] };

  it("the edited input passes the gates again, runs, and the model is notified", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["PreToolUse", "PostToolUse"], (event) => {
      seen.push([event.hook_event_name, event.tool_input.text, Reflect.get(event, "original_input")]);
    });
    const { agent, ran } = waiting([one, { text: "Done." }], { hooks });
    await agent.run("Go.");
    seen.length = 0;
    await agent.continue(edit);
    expect(ran).toEqual(["edited"]);
    expect(seen).toEqual([
      ["PreToolUse", "a", undefined],
      ["PreToolUse", "edited", undefined],
      ["PostToolUse", "edited", { text: "a" }],
    ]);
    expect(story(agent.transcript()).slice(-3)).toEqual([
      "tool answers: edited",
      'user context: The user changed the input of Do (A) to: {"text":"edited"}',
      "assistant text: Done.",
    ]);
  });

  it("a hook, a rule and the schema may refuse it", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", ({ tool_input }) => (tool_input.text === "edited" ? deny("never") : undefined));
    const byHook = waiting([one], { hooks, suspend: false, approval: () => edit.approval });
    await byHook.agent.run("Go.");
    const permissions = {
      check: ({ tool_input }: { tool_input: Readonly<Record<string, unknown>> }) =>
        tool_input.text === "edited"
          ? ({ action: "deny", reason: "ruled" } as const)
          : ({ action: "ask" } as const),
    };
    const byRule = waiting([one], { permissions, approval: () => edit.approval });
    await byRule.agent.run("Go.");
    const bySchema = waiting([one], { approval: () => ({ allow: true, input: { text: 1 } }) });
    await bySchema.agent.run("Go.");
    expect([byHook, byRule, bySchema].flatMap(({ ran }) => ran)).toEqual([]);
    expect([byHook, byRule, bySchema].map(({ agent }) => story(agent.transcript())[2])).toEqual([
      "tool fails: never",
      "tool fails: ruled",
      'tool fails: The user edited the call. The input of Do does not fit its schema. text: Instance type "number" is invalid. Expected "string".',
    ]);
  });

  it("another process goes on with it", async () => {
    const store = memoryStore();
    const { tool, ran } = counting("Do");
    const options = { store, tools: [tool], permissions: asks, suspend: true };
    const { agent } = agentOf([one], options);
    await agent.run("Go.");
    await agent.close();
    const again = await Agent.resume(agent.agent_id, {
      ...options,
      model: scriptedModel([{ text: "Done." }]),
    });
    await again.continue(edit);
    await again.close();
    expect(ran).toEqual(["edited"]);
  });
});

describe("an approval counts", () => {
  const calls = (...texts: string[]) => texts.map((text) => ({ tool_calls: [says(text, "Do")] }));

  async function askedAbout(scope: "once" | "session" | "tool", options: Partial<AgentOptions> = {}) {
    const asked: unknown[] = [];
    const { agent, ran } = waiting(calls("a", "a", "b"), {
      permissions: {},
      suspend: false,
      approval: ({ tool_input }) => {
        asked.push(tool_input?.text);
        return { allow: true, for: scope };
      },
      ...options,
    });
    await agent.run("Go.");
    expect(ran).toEqual(["a", "a", "b"]);
    return asked;
  }

  it("for once, for the same call in the session, or for the tool", async () => {
    expect(await askedAbout("once")).toEqual(["a", "a", "b"]);
    expect(await askedAbout("session")).toEqual(["a", "b"]);
    expect(await askedAbout("tool")).toEqual(["a"]);
  });

  it("the same when a hook asks", async () => {
    const asking = () => {
      const hooks = createHooks();
      hooks.on("PreToolUse", () => ask("sure?"));
      return { hooks, permissions: { check: () => ({ action: "allow" }) as const } };
    };
    expect(await askedAbout("session", asking())).toEqual(["a", "b"]);
    expect(await askedAbout("tool", asking())).toEqual(["a"]);
  });

  it("for the tool, but not for what an ask rule or a hook asks besides", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", ({ tool_input }) => (tool_input.text === "b" ? ask("sure?") : undefined));
    expect(await askedAbout("tool", { hooks })).toEqual(["a", "b"]);
  });
});
