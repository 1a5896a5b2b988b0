import { createHooks, deny } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";
import { both, payments, task, toolsWith } from "./support/tasks.ts";

/** The defects seen in other systems, by their number in the specification. */
describe("defects of other systems that must be impossible here", () => {
  it("6: subagents do not run without the parent's hooks and permissions", async () => {
    const { tool, paid } = payments();
    const hidden = payments();
    const hide: Tool = { ...hidden.tool, name: "Hide" };
    const hooks = createHooks();
    hooks.on("PreToolUse", { tools: ["Pay"] }, () => deny("A hook says no."));
    const agents = [{ name: "payer", description: "", tools: ["Pay", "Hide"] }];
    const permissions: AgentOptions["permissions"] = {
      check: ({ tool_name }) =>
        tool_name === "Hide" ? { action: "deny", reason: "A rule says no." } : { action: "allow" },
    };
    const calls = { tool_calls: [says("1", "Pay"), says("2", "Hide")] };
    const store = memoryStore();
    for (const more of [{}, { run_in_background: true }]) {
      const { steps } = both(
        [{ tool_calls: [task({ agent_type: "payer", ...more })] }],
        [calls, { text: "ok" }],
      );
      const { agent } = agentOf(steps, { tools: toolsWith(tool, hide), hooks, permissions, agents, store });
      const over = new Promise<void>((resolve) => {
        hooks.on("AgentStop", { agents: ["payer"] }, () => resolve());
      });
      await agent.run("Delegate.");
      await over;
      const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
      const stored = JSON.stringify((await store.load(child?.agent_id ?? ""))?.messages);
      expect([stored.includes("A hook says no."), stored.includes("A rule says no.")]).toEqual([true, true]);
    }
    expect([paid, hidden.paid]).toEqual([[], []]);
  });

  it("7: the transcript has the final answer, so a resume never sends two user messages in a row", async () => {
    const store = memoryStore();
    const cwd = scratch();
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "First." }], { store, cwd });
    await agent.run("One?");
    await agent.close();
    expect(story(agent.transcript()).at(-1)).toBe("assistant text: First.");
    const roles: (readonly string[])[] = [];
    const model = scriptedModel([
      ({ prompt }) => {
        roles.push(prompt.map(({ role }) => role).filter((role) => role !== "system"));
        return { text: "Second." };
      },
    ]);
    const resumed = await Agent.resume(agent.agent_id, { model, tools: [echo], store, cwd });
    await resumed.run("Two?");
    await resumed.close();
    expect(roles).toEqual([["user", "assistant", "tool", "assistant", "user"]]);
    const stored = (await store.load(agent.agent_id))?.messages ?? [];
    expect(stored).toEqual(resumed.transcript());
    expect(stored.at(-1)).toMatchObject({ role: "assistant", parts: [{ text: "Second." }] });
  });

  it.each([
    ["limit", [{ tool_calls: [says("a")] }, { text: "Enough." }]],
    ["error", [{ tool_calls: [says("a")] }, { error: { status: 400, message: "no such model" } }]],
    ["cancelled", [{ tool_calls: [says("a")] }, { tool_calls: [says("b", "Wait")] }]],
  ])("8: the transcript is not lost on %s, and ends with an answer", async (status, steps) => {
    const store = memoryStore();
    const wait: Tool = { ...echo, name: "Wait", run: () => new Promise(() => {}) };
    const limits = status === "limit" ? { iterations: 1 } : {};
    const { agent } = agentOf(steps, { store, tools: [echo, wait], limits });
    const { stop_reason } = await agent.run("Go.", {
      onItem: (item) => {
        if (item.type === "tool_call" && item.tool_name === "Wait") setImmediate(() => agent.interrupt());
      },
    });
    await agent.close();
    const stored = await store.load(agent.agent_id);
    expect([stop_reason, stored?.metadata.status]).toEqual([status, status]);
    expect(stored?.messages).toEqual(agent.transcript());
    expect(story(agent.transcript()).slice(0, 3)).toEqual([
      "user text: Go.",
      "assistant calls Echo",
      "tool answers: a",
    ]);
    expect(stored?.messages.at(-1)).toMatchObject({ role: "assistant", ended: status });
  });
});
