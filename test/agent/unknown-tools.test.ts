import { createHooks } from "tenterhook";
import { Agent, type AgentItem, type AgentOptions, scriptedModel, taskTool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { echo } from "./support/agents.ts";

/** The warnings of an agent whose only tool is Echo. */
async function warnings(options: Partial<AgentOptions>): Promise<readonly string[]> {
  const items: AgentItem[] = [];
  const agent = new Agent({
    model: scriptedModel([{ text: "one" }, { text: "two" }]),
    tools: [echo],
    ...options,
    onItem: (item) => items.push(item),
  });
  await agent.run("go");
  await agent.run("go on");
  await agent.close();
  return items.flatMap((item) => (item.type === "notice" ? [item.text] : []));
}

function hooksOf(add: (hooks: ReturnType<typeof createHooks>) => unknown) {
  const hooks = createHooks();
  add(hooks);
  return hooks;
}

describe("a tool that the agent does not have is told once", () => {
  it("when a hook is for it, also next to one that it has", async () => {
    const hooks = hooksOf((set) => set.on("PreToolUse", { name: "guard", tools: "Echo|Ecco" }, () => {}));
    expect(await warnings({ hooks })).toEqual([
      'Hook "guard" is for the tool "Ecco", which this agent does not have. Did you mean "Echo"?',
    ]);
  });

  it("when a rule names it", async () => {
    const hooks = createHooks();
    await hooks.add(
      rulesHook("policy", 'tool equals "Ecco" -> deny("no")\ntool in ["Echo", "Refund"] -> ask("sure?")'),
    );
    expect(await warnings({ hooks })).toEqual([
      'A rule of hook "policy" names the tool "Ecco", which this agent does not have. Did you mean "Echo"?',
      'A rule of hook "policy" names the tool "Refund", which this agent does not have.',
    ]);
  });

  it("when a permission names it", async () => {
    expect(await warnings({ permissions: { allow: ["Echo", "Refund", "mcp__pay", "mcp__pay__*"] } })).toEqual(
      ['A permission rule names the tool "Refund", which this agent does not have.'],
    );
  });
});

it.each<[string, Partial<AgentOptions>]>([
  ["patterns", { hooks: hooksOf((set) => set.on("PreToolUse", { tools: ["mcp__*", "/^Re/"] }, () => {})) }],
  [
    "hooks that are off",
    { hooks: hooksOf((set) => set.on("Stop", { tools: "X", enabled: false }, () => {})) },
  ],
  ["rules of packs, which serve other agents too", { hooks: hooksOf((set) => set.use("safe-shell")) }],
  ["permissions for tools of other agents", { permissions: { deny: ["NotebookEdit"] } }],
])("nothing is told of %s", async (_, options) => {
  expect(await warnings(options)).toEqual([]);
});

it("for a strict agent it is an error", async () => {
  const hooks = hooksOf((set) => set.on("PreToolUse", { name: "guard", tools: "Bash" }, () => {}));
  const agent = new Agent({ model: scriptedModel([]), tools: [echo], hooks, strict: true });
  await expect(agent.run("go")).rejects.toMatchObject({
    code: "unknown_tool",
    message: expect.stringContaining('Hook "guard" is for the tool "Bash", which this agent does not have.'),
  });
  await agent.close();
});

describe("kinds of subagents", () => {
  const reviewer = { name: "reviewer", description: "Reviews." };
  const task = { name: "Task", input: { agent_type: "reviewer", task: "look", description: "look" } };

  it("bring the tool Task along", async () => {
    const model = scriptedModel([{ tool_calls: [task] }, { text: "Fine." }, { text: "done" }]);
    const agent = new Agent({ model, tools: [echo], agents: [reviewer] });
    await agent.run("go");
    await agent.close();
    expect(agent.transcript()[2]?.parts).toMatchObject([
      { tool_name: "Task", content: expect.stringContaining("Fine.") },
    ]);
  });

  it("do not bring a second one", async () => {
    const names: unknown[] = [];
    const hooks = hooksOf((set) =>
      set.on("PreModelRequest", ({ request }) => {
        names.push(JSON.stringify(request?.tools).split('"Task"').length - 1);
      }),
    );
    const agent = new Agent({
      model: scriptedModel([{ text: "a" }]),
      tools: [taskTool],
      agents: [reviewer],
      hooks,
    });
    await agent.run("go");
    await agent.close();
    expect(names).toEqual([1]);
  });
});
