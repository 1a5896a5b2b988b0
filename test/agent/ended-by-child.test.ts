import { abort } from "tenterhook";
import { defaultTools } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

const input = { agent_type: "general-purpose", task: "Look at it.", description: "look" };
const delegate = { tool_calls: [{ name: "Task", input }] };
const tools = [...defaultTools(), echo];

describe("a hook that ends the run ends it for the parent too", () => {
  it("when a subagent is about to start, which is not started", async () => {
    const { agent, hooks } = agentOf([delegate, { text: "Went on." }], { tools });
    const started: string[] = [];
    hooks.on("SubagentStart", () => abort("Enough agents."));
    hooks.on("AgentStart", ({ agent_type = "" }) => {
      started.push(agent_type);
    });
    expect(await agent.run("Delegate.")).toMatchObject({ stop_reason: "aborted", text: "Enough agents." });
    expect(started).toEqual(["main"]);
    expect(story(agent.transcript()).at(-1)).toBe("assistant text: Enough agents.");
  });

  it("when the subagent works, and both are kept with the reason", async () => {
    const store = memoryStore();
    const steps = [delegate, { tool_calls: [says("a")] }, { text: "Went on." }];
    const { agent, hooks } = agentOf(steps, { tools, store });
    hooks.on("PreToolUse", { tools: ["Echo"] }, () => abort("Somebody pulled the plug."));
    const { stop_reason, text } = await agent.run("Delegate.");
    expect([stop_reason, text]).toEqual(["aborted", "Somebody pulled the plug."]);
    const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
    const stored = [await store.load(agent.agent_id), await store.load(child?.agent_id ?? "")];
    expect(stored.map((transcript) => transcript?.messages.at(-1))).toMatchObject([
      { ended: "aborted", parts: [{ text }] },
      { ended: "aborted", parts: [{ text }] },
    ]);
  });

  it("when the subagent has its answer", async () => {
    const { agent, hooks } = agentOf([delegate, { text: "Seen." }, { text: "Went on." }], { tools });
    hooks.on("AgentStop", { agents: ["general-purpose"] }, () => abort("That was all."));
    const { stop_reason, text } = await agent.run("Delegate.");
    expect([stop_reason, text]).toEqual(["aborted", "A hook ended the run in the subagent general-purpose."]);
  });
});
