import { ask, createHooks, EVENTS } from "tenterhook";
import { type AgentItem, scriptedModel, type Tool } from "tenterhook/agent";
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
    for (const name of Object.keys(EVENTS)) hooks.register(name, { name }, { type: "function", run() {} });
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
      approve: () => ({ decision: "refuse" }),
      askUser: async () => ({ "Which?": "this" }),
      agents: [{ name: "general-purpose", description: "", tools: [] }],
    });
    const items: HookItem[] = [];
    await agent.run("go", { onItem: (item) => isHookItem(item) && items.push(item) });
    const byCall = new Map<string, Set<string>>();
    for (const { tool_use_id = "none", hook, hook_event_name } of items) {
      const told = byCall.get(tool_use_id) ?? new Set();
      byCall.set(tool_use_id, told.add(hook === hook_event_name ? hook : `${hook_event_name} ${hook}`));
    }
    expect(Object.fromEntries([...byCall].map(([id, told]) => [id, [...told].sort()]))).toEqual({
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
