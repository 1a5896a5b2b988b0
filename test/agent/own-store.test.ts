import { Agent, type AgentMessage, type AgentStore, scriptedModel } from "tenterhook/agent";
import { expect, it } from "vitest";
import { story } from "./support/agents.ts";

it("a store of one's own needs append and load, no more, for an agent to be resumed", async () => {
  const kept = new Map<string, AgentMessage[]>();
  const store: AgentStore = {
    append: (message, { agent_id }) => {
      kept.set(agent_id, [...(kept.get(agent_id) ?? []), message]);
    },
    load: async (agent_id) => {
      const messages = kept.get(agent_id);
      const time = new Date(0).toISOString();
      const times = { created_at: time, updated_at: time };
      return (
        messages && { metadata: { agent_id, session_id: agent_id, status: "complete", ...times }, messages }
      );
    },
  };
  const first = new Agent({ model: scriptedModel([{ text: "one" }]), tools: [], store });
  const { agent_id } = await first.run("go");
  await first.close();
  const again = await Agent.resume(agent_id, { model: scriptedModel([{ text: "two" }]), tools: [], store });
  expect(await again.run("on")).toMatchObject({ agent_id, text: "two" });
  await again.close();
  expect(story(kept.get(agent_id) ?? [])).toEqual([
    "user text: go",
    "assistant text: one",
    "user text: on",
    "assistant text: two",
  ]);
});
