import { ask, createHooks, EVENTS, userMessage } from "tenterhook";
import { type AgentItem, scriptedModel, type Tool } from "tenterhook/agent";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { agentOf, broken, echo, says } from "./support/agents.ts";

type HookItem = Extract<AgentItem, { readonly type: "hook_begin" | "hook_output" | "hook_end" }>;

function isHookItem(item: AgentItem): item is HookItem {
  return item.type === "hook_begin" || item.type === "hook_output" || item.type === "hook_end";
}

describe("the items of hook runs", () => {
  it("say which call they belong to, where they belong to one", async () => {
    const hooks = createHooks();
    const note: Tool = {
      ...echo,
      name: "Note",
      annotations: { edits_files: true },
      run: async () => ({ content: "noted" }),
    };
    const question: Tool = {
      ...echo,
      name: "Question",
      run: async (_, { host, signal }) => {
        const answers = await host.askUser?.([{ question: "Which?" }], signal);
        return { content: `chose ${answers?.["Which?"]}` };
      },
    };
    for (const name of Object.keys(EVENTS))
      internals(hooks).register(name, { name }, { type: "function", run() {} });
    hooks.on("PreToolUse", { name: "asks", tools: ["Echo"] }, (_, { output }) => {
      output("hm");
      return ask();
    });
    hooks.on("PreToolUse", { name: "fails", tools: ["Question"], on_failure: "open" }, () => {
      throw new Error("it failed");
    });
    hooks.on("PermissionRequest", { name: "agrees" }, () => undefined);
    const task = { agent_type: "general-purpose", task: "look", description: "looks" };
    const calls = [
      says("a"),
      says("b", "Broken"),
      { name: "Note", input: { text: "c", file_path: "AGENTS.md" } },
      says("d", "Question"),
      { name: "Work", input: { text: JSON.stringify(task) } },
    ];
    const work: Tool = {
      ...echo,
      name: "Work",
      run: async (_, { host, signal }) => (await host.startTask?.(task, signal)) ?? { content: "no" },
    };
    const { agent } = agentOf([], {
      model: scriptedModel([{ tool_calls: calls }, { text: "child" }, { text: "done" }]),
      hooks,
      tools: [echo, broken, note, question, work],
      approval: () => false,
      askUser: async () => ({ "Which?": "this" }),
      agents: [{ name: "general-purpose", description: "", tools: [] }],
    });
    const items: HookItem[] = [];
    await agent.run("go", { onItem: (item) => isHookItem(item) && items.push(item) });
    const byCall = new Map<string, Set<string>>();
    for (const { tool_use_id = "none", hook, hook_event_name } of items) {
      const names = byCall.get(tool_use_id) ?? new Set();
      byCall.set(tool_use_id, names.add(hook === hook_event_name ? hook : `${hook_event_name} ${hook}`));
    }
    expect(Object.fromEntries([...byCall].map(([id, names]) => [id, [...names].sort()]))).toEqual({
      call_1: [
        "AgentPrompt",
        "Notification",
        "PermissionDenied",
        "PermissionRequest",
        "PermissionRequest agrees",
        "PreToolUse",
        "PreToolUse asks",
      ],
      call_2: ["Error", "PostToolUseFailure", "PreToolUse"],
      call_3: ["MemoryUpdate", "PostToolUse", "PreToolUse"],
      call_4: ["AgentPrompt", "Error", "Notification", "PostToolUse", "PreToolUse", "PreToolUse fails"],
      call_5: ["PostToolUse", "PreToolUse", "SubagentStart", "SubagentStop"],
      none: expect.not.arrayContaining(["PreToolUse", "PostToolUse"]),
    });
    expect(items.filter(({ hook }) => hook === "asks")).toEqual(
      ["hook_begin", "hook_output", "hook_end"].map((type) =>
        expect.objectContaining({ type, tool_use_id: "call_1" }),
      ),
    );
  });
});

describe("the hooks of a session's start and end", () => {
  /** An agent with hooks that say something at both, and what they were heard to do. */
  function greeted(options: Parameters<typeof agentOf>[1] = {}) {
    const hooks = createHooks();
    hooks.on("SessionStart", { name: "hello" }, (_, { output }) => {
      output("hi");
      return userMessage("welcome");
    });
    hooks.on("SessionEnd", { name: "bye" }, () => userMessage("farewell"));
    return agentOf([{ text: "one" }, { text: "two" }], { hooks, ...options });
  }

  function hookNames(item: AgentItem): readonly string[] {
    if (item.type === "notice") return [`notice ${item.hook}: ${item.text}`];
    if (isHookItem(item)) return [`${item.type} ${item.hook}`];
    return ["turn_start", "done"].includes(item.type) ? [item.type] : [];
  }

  const START = ["hook_begin hello", "hook_output hello", "hook_end hello", "notice hello: welcome"];
  const END = ["hook_begin bye", "hook_end bye", "notice bye: farewell"];

  it("are items of the stream that starts the session, and of no other", async () => {
    const { agent } = greeted();
    const streamed: string[][] = [];
    for (const task of ["first", "second"]) {
      const items: string[] = [];
      for await (const item of agent.stream(task)) items.push(...hookNames(item));
      streamed.push(items);
    }
    expect(streamed).toEqual([
      [...START, "turn_start", "done"],
      ["turn_start", "done"],
    ]);
  });

  it("reach listeners of the agent as long as it lives, each item once", async () => {
    const items: string[] = [];
    const streamed: string[] = [];
    const { agent } = greeted({ onItem: (item) => items.push(...hookNames(item)) });
    await agent.run("first", { onItem: (item) => streamed.push(...hookNames(item)) });
    await agent.run("second");
    await agent.close();
    expect(streamed).toEqual([...START, "turn_start", "done"]);
    expect(items).toEqual([...START, "turn_start", "done", "turn_start", "done", ...END]);
  });

  it("are all items of a stream that closes the agent; done is the last item", async () => {
    const received: string[] = [];
    const { agent, hooks } = greeted({ onItem: (item) => received.push(...hookNames(item)) });
    const reasons: unknown[] = [];
    hooks.on("SessionEnd", { name: "why" }, ({ reason }) => {
      reasons.push(reason);
    });
    const items: string[] = [];
    for await (const item of agent.stream("first", { close: true })) items.push(...hookNames(item));
    const why = ["hook_begin why", "hook_end why"];
    expect(items).toEqual([...START, "turn_start", ...END.slice(0, 2), ...why, ...END.slice(2), "done"]);
    await expect(agent.run("second")).rejects.toMatchObject({ code: "agent_closed" });
    expect([reasons, received]).toEqual([["exit"], items]);
  });

  it.each([
    ["how a run that closes the agent came to its end", "interrupt"],
    ["of no end when there was no start", undefined],
  ])("hear %s", async (_, reason) => {
    const model = scriptedModel([{ text: "late", delay_ms: 60_000 }]);
    const { agent, hooks } = greeted({ model: reason === undefined ? "nobody/knows" : model });
    const reasons: unknown[] = [];
    hooks.on("SessionEnd", (event) => {
      reasons.push(event.reason);
    });
    hooks.on("PreModelRequest", () => agent.interrupt());
    await agent.run("go", { close: true }).catch(() => {});
    expect(reasons).toEqual(reason === undefined ? [] : [reason]);
  });

  it("reach listeners when something other than a run starts the session", async () => {
    const items: string[] = [];
    const { agent } = greeted({ onItem: (item) => items.push(...hookNames(item)) });
    await agent.switchModel(scriptedModel([], "other"));
    await agent.close();
    expect(items).toEqual([...START, ...END]);
  });

  it("leave nobody behind in a hook set that lives on", async () => {
    const items: string[] = [];
    const { agent, hooks } = greeted({ onItem: (item) => items.push(...hookNames(item)) });
    await agent.run("first");
    await agent.close();
    items.length = 0;
    const { session_id } = agent;
    await hooks.fire({ hook_event_name: "SessionStart", session_id, cwd: "/" });
    expect(items).toEqual([]);
  });

  it("of subagents are reported once, by the agent that has them", async () => {
    const items: string[] = [];
    const task = { agent_type: "general-purpose", task: "look", description: "looks" };
    const work: Tool = {
      ...echo,
      name: "Work",
      run: async (_, { host, signal }) => (await host.startTask?.(task, signal)) ?? { content: "no" },
    };
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Work")] }, { text: "child" }], {
      tools: [work],
      onItem: (item) => items.push(...hookNames(item)),
    });
    hooks.on("SubagentStop", { name: "watch" }, () => undefined);
    await agent.run("go");
    expect(items).toEqual(["turn_start", "hook_begin watch", "hook_end watch", "done"]);
  });
});
