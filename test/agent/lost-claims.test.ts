import { createHooks } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, says } from "./support/agents.ts";

/** A store whose claim can be taken away, and what was given to it since. */
function takenAway() {
  const memory = memoryStore();
  const lost = new AbortController();
  const late: string[] = [];
  const given = (what: string): void => {
    if (lost.signal.aborted) late.push(what);
  };
  const store: AgentOptions["store"] = {
    ...memory,
    append: (message, owner) => {
      given(`append ${message.role}`);
      return memory.append(message, owner);
    },
    save: (changes, owner) => {
      given(`save ${changes.status}`);
      return memory.save(changes, owner);
    },
    record: (entry, owner) => {
      given(`record ${entry.type}`);
      return memory.record({ ...entry }, owner);
    },
    claim: async () => ({ id: "claim", lost: lost.signal, release: async () => {} }),
  };
  return { store, late, takeAway: () => lost.abort() };
}

const TAKEN = { error_type: "agent_changed", message: "Another process has taken over the agent." };

it("an agent that another process has taken over ends, and writes nothing more into its conversation", async () => {
  const { store, late, takeAway } = takenAway();
  const take: Tool = {
    ...echo,
    name: "Take",
    run: async () => {
      takeAway();
      return { content: "taken" };
    },
  };
  const hooks = createHooks();
  hooks.on("TurnEnd", () => undefined);
  const calls = [says("", "Take"), says("another")];
  const { agent } = agentOf([{ tool_calls: calls }], { hooks, store, tools: [take, echo] });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "error", error: TAKEN });
  await agent.close();
  expect(late).toEqual([]);
});

it("so does one that had not begun its turn", async () => {
  const { store, late, takeAway } = takenAway();
  const hooks = createHooks();
  hooks.on("SessionStart", takeAway);
  const { agent } = agentOf([{ text: "Hello." }], { hooks, store });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "error", error: TAKEN });
  await agent.close();
  expect(late).toEqual([]);
});

it.each([
  ["close()", (agent: Agent) => agent.close()],
  ["checkpoint()", (agent: Agent) => agent.checkpoint()],
])(
  "what a store could not keep is not given to it by %s when another has run the agent since",
  async (_, late) => {
    const memory = memoryStore();
    let full = true;
    const store: AgentOptions["store"] = {
      ...memory,
      append: async (message, owner) => {
        if (full && message.role === "assistant") throw new Error("The disk is full.");
        return memory.append(message, owner);
      },
    };
    const { agent } = agentOf([{ text: "Lost." }], { store });
    expect((await agent.run("go")).error).toMatchObject({ error_type: "store_failed" });
    full = false;
    const other = await Agent.resume(agent.agent_id, {
      store: memory,
      model: scriptedModel([{ text: "Here." }]),
    });
    expect((await other.continue()).text).toBe("Here.");
    await late(agent);
    const { messages } = (await memory.load(agent.agent_id)) ?? {};
    expect(messages?.map(({ id }) => id)).toEqual(other.transcript().map(({ id }) => id));
    await other.close();
  },
);
