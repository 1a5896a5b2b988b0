import { abort, context, deny, hookInput } from "tenterhook";
import { scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

describe("a hook that ends the run when the answer is there", () => {
  it.each(["AgentStop", "TurnEnd", "Checkpoint"] as const)(
    "after a hook on %s ends the run, no turn follows",
    async (event) => {
      const { agent, hooks } = agentOf([{ text: "answer" }], { store: memoryStore() });
      hooks.on("TurnEnd", () => hookInput("follow up"));
      hooks.on(event, () => abort("enough"));
      const notices: string[] = [];
      const result = await agent.run("go", {
        onItem: (item) => item.type === "notice" && notices.push(item.text),
      });
      expect([result.stop_reason, result.text, notices]).toEqual(["aborted", "answer", ["enough"]]);
      expect(story(agent.transcript())).toEqual(["user text: go", "assistant text: answer"]);
    },
  );

  it("on ModelSwitch, for a fallback: no other model is tried", async () => {
    const fallback = [scriptedModel([{ text: "one" }]), scriptedModel([{ text: "two" }])];
    const { agent, hooks } = agentOf([{ error: { status: 400, message: "bad" } }], { models: { fallback } });
    let switches = 0;
    hooks.on("ModelSwitch", () => {
      switches += 1;
      return abort("stop everything");
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "aborted", text: "stop everything" });
    expect(switches).toBe(1);
  });
});

it("an interrupt during the checkpoint of a turn ends the run: no turn follows", async () => {
  const { agent, hooks } = agentOf([{ text: "answer" }], { store: memoryStore() });
  const reasons: unknown[] = [];
  hooks.on("TurnEnd", () => hookInput("follow up"));
  hooks.on("Checkpoint", { once: true }, async () => {
    agent.interrupt("Esc");
    return undefined;
  });
  hooks.on("Interrupt", ({ reason }) => {
    reasons.push(reason);
  });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled", text: "answer" });
  expect([reasons, story(agent.transcript())]).toEqual([
    ["Esc"],
    ["user text: go", "assistant text: answer"],
  ]);
});

describe("what clients submit", () => {
  it("while TurnEnd hooks run starts a turn of the same run", async () => {
    const { agent, hooks } = agentOf([]);
    let submitted: Promise<unknown> | undefined;
    hooks.on("TurnEnd", () => {
      submitted ??= agent.submitHookInput({ hook: "Client", text: "late" });
    });
    const result = await agent.run("go");
    expect(await submitted).toEqual(result);
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: done",
      "user hook_input: late",
      "assistant text: done",
    ]);
  });

  it("while a prompt is refused starts a turn of the same run", async () => {
    const { agent, hooks } = agentOf([]);
    hooks.on("UserPromptSubmit", () => {
      void agent.submitHookInput({ hook: "Client", text: "late" });
      return deny("no");
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "complete" });
    expect(story(agent.transcript())).toEqual(["user hook_input: late", "assistant text: done"]);
  });

  it("in every turn is held to the ceiling", async () => {
    const { agent, hooks } = agentOf([], { limits: { hook_turns: 3 } });
    hooks.on("TurnEnd", () => {
      void agent.submitHookInput({ hook: "Client", text: "again" });
    });
    const notices: string[] = [];
    await agent.run("go", { onItem: (item) => item.type === "notice" && notices.push(item.text) });
    expect([agent.transcript().length, notices]).toEqual([
      8,
      ["Hook inputs have started 3 turns since the user's last prompt, which is the limit."],
    ]);
  });

  it("while the end of a run is being kept is the next turn", async () => {
    const store = memoryStore();
    let submitted: Promise<unknown> | undefined;
    const { agent } = agentOf([], {
      store: {
        append: (message, owner) => store.append(message, owner),
        save: async ({ status }) => {
          if (status === "complete") submitted ??= agent.submitHookInput({ hook: "Client", text: "late" });
        },
      },
    });
    await agent.run("go");
    expect(await submitted).toMatchObject({ stop_reason: "complete", text: "done" });
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: done",
      "user hook_input: late",
      "assistant text: done",
    ]);
  });

  it("and is interrupted follows the next run", async () => {
    const { agent, hooks } = agentOf([{ text: "one" }]);
    hooks.on("PreModelRequest", { once: true }, async () => {
      void agent.submitHookInput({ hook: "Client", text: "late" });
      agent.interrupt("Esc");
      return undefined;
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled" });
    await agent.run("and now?");
    expect(story(agent.transcript()).slice(2)).toEqual([
      "user text: and now?",
      "assistant text: one",
      "user hook_input: late",
      "assistant text: done",
    ]);
  });

  it.each([{}, { hook: "Client" }, { hook: "Client", text: " " }, { hook: "", text: "x" }, undefined])(
    "must say something: %j",
    async (input) => {
      const { agent } = agentOf([]);
      await expect(Reflect.apply(agent.submitHookInput, agent, [input])).rejects.toMatchObject({
        code: "invalid_option",
      });
      expect(agent.transcript()).toEqual([]);
    },
  );
});

it("context that waits for a turn survives a prompt that is refused", async () => {
  const { agent, hooks } = agentOf([]);
  hooks.on("SessionStart", () => context("PROJECT RULES"));
  hooks.on("UserPromptSubmit", ({ prompt }) => (prompt === "bad" ? deny("no") : undefined));
  await agent.run("bad");
  await agent.run("good");
  expect(story(agent.transcript())).toEqual([
    "user text: good",
    "user context: PROJECT RULES",
    "assistant text: done",
  ]);
});

describe("a result in the background", () => {
  const background: Tool = {
    ...echo,
    name: "Background",
    annotations: {},
    run: async (_input, { host }) => {
      host?.deliverLater?.(Promise.resolve({ content: "the result" }));
      return { content: "started" };
    },
  };

  it.each(["interrupt", "abort"])("is not lost to an %s of its hooks", async (how) => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Background")] }], { tools: [background] });
    hooks.on("PostBackgroundToolUse", { once: true }, async () => {
      if (how === "abort") return [context("beside it"), abort("enough")];
      agent.interrupt("Esc");
      return undefined;
    });
    await agent.run("go");
    await agent.run("and now?");
    expect(story(agent.transcript()).slice(3)).toEqual([
      "user text: Background (call_1), which ran in the background, is done:\nthe result",
      how === "abort" ? "assistant text: enough" : "assistant text: [Interrupted: Esc]",
      "user text: and now?",
      ...(how === "abort" ? ["user context: beside it"] : []),
      "assistant text: done",
    ]);
  });
});
