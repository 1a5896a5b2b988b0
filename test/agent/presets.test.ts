import { createHooks } from "tenterhook";
import { Agent, type AgentDefinition, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, promptTexts, says } from "./support/agents.ts";
import { copyOf, task } from "./support/tasks.ts";

type Request = {
  readonly prompt: readonly { role: string; content: unknown }[];
  readonly tools?: readonly { name: string }[];
};

/** The requests of the child of one task. */
async function childRequests(
  agent_type: string,
  agents: readonly AgentDefinition[] = [],
): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const { agent } = agentOf(
    [
      { text: "I look first.", tool_calls: [says("seen before")] },
      { tool_calls: [task({ agent_type })] },
      (request) => {
        requests.push(request);
        return { text: "child is done" };
      },
      { text: "done" },
    ],
    { tools: [...defaultTools(), echo], agents, hooks: createHooks() },
  );
  await agent.run("the parent's question");
  return requests;
}

describe.each(["explore", "plan"])("the preset %s", (name) => {
  it("has the tools of its parent that only read, and its own prompt", async () => {
    const [request] = await childRequests(name);
    expect(request?.tools?.map((tool) => tool.name).toSorted()).toEqual(
      ["AskUserQuestion", "Echo", "Glob", "Grep", "Read", "TodoWrite", "WebFetch"].toSorted(),
    );
    expect(request?.prompt[0]?.role).toBe("system");
  });

  it("can't be replaced by a file of the workspace", async () => {
    const { builtInProblem } = await import("../../src/agent/definitions/presets.ts");
    expect(builtInProblem(name.toUpperCase())).toBe(
      `"${name}" is built in; give the definition another name.`,
    );
  });
});

describe("a subagent with fork_context", () => {
  const forked: AgentDefinition = {
    name: "colleague",
    description: "Knows what you know.",
    fork_context: true,
  };

  it("begins with the conversation of its parent, up to the answer that starts it", async () => {
    const [request] = await childRequests("colleague", [forked]);
    expect(promptTexts(request?.prompt ?? []).map((text) => text.slice(0, 60))).toEqual([
      expect.stringContaining("the parent's question"),
      expect.stringContaining("I look first."),
      expect.stringContaining("tool: "),
      expect.stringContaining("CHILD: work."),
    ]);
  });

  it("which others do not", async () => {
    const [request] = await childRequests("general-purpose");
    expect(promptTexts(request?.prompt ?? [])).toEqual([expect.stringContaining("CHILD: work.")]);
  });

  it("has it again after a kill, and counts only its own calls", async () => {
    const store = memoryStore();
    const tools = [...defaultTools(), echo];
    const { agent, hooks } = agentOf(
      [
        { tool_calls: [says("of the parent")] },
        { tool_calls: [task({ agent_type: "colleague" }, "t")] },
        { tool_calls: [says("of the child")] },
        { text: "never", delay_ms: 60_000 },
      ],
      { store, tools, agents: [forked] },
    );
    const running = agent.run("the parent's question");
    await expect
      .poll(async () => {
        const { transcripts } = await store.list({});
        const child = transcripts.find(({ agent_type }) => agent_type === "colleague");
        return child === undefined ? "" : JSON.stringify((await store.load(child.agent_id))?.messages.at(-1));
      })
      .toContain("of the child");
    const copy = await copyOf(store);
    agent.interrupt();
    await running;
    let prompt = "";
    const again = await Agent.resume(agent.agent_id, {
      model: scriptedModel([
        (request) => {
          prompt = JSON.stringify(request.prompt);
          return { text: "child is done" };
        },
        { text: "done" },
      ]),
      store: copy,
      tools,
      agents: [forked],
      hooks,
    });
    const outcomes: unknown[] = [];
    hooks.on("PostToolUse", { tools: ["Task"] }, ({ tool_response }) => {
      outcomes.push(tool_response);
    });
    expect(await again.continue()).toMatchObject({ text: "done" });
    await again.close();
    expect(prompt).toContain("the parent's question");
    expect(prompt).toContain("of the child");
    expect(outcomes).toMatchObject([{ content: "child is done", tool_use_count: 1 }]);
  });
});
