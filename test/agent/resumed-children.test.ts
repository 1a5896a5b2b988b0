import { Agent, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore, type TranscriptStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, says } from "./support/agents.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

const agents = [
  {
    name: "reader",
    description: "Reads.",
    prompt: "You only read.",
    tools: ["Read", "Echo", "Task", "Write"],
    disallowed_tools: ["Write"],
    max_iterations: 2,
  },
];
const tools = toolsWith(echo);

/** A store with a session and its subagent of the kind `reader`. */
async function withChild(more: Partial<AgentOptions> = {}) {
  const store = memoryStore();
  const { steps } = both([{ tool_calls: [task({ agent_type: "reader" })] }], [{ text: "Read." }]);
  const { agent, cwd } = agentOf(steps, { tools, agents, store, ...more });
  await agent.run("Delegate.");
  const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
  return { store, child: child?.agent_id ?? "", parent: agent.agent_id, cwd };
}

/** What the model of an agent is given, and how a run that never stops calling ends. */
async function given(open: (options: Opened) => Promise<Agent>, store: TranscriptStore) {
  const seen: { tools: readonly string[]; system: unknown }[] = [];
  const step = ({ prompt, tools: offered = [] }: Request) => {
    seen.push({
      tools: offered.map(({ name }) => name).toSorted(),
      system: prompt.find(({ role }) => role === "system")?.content,
    });
    return offered.length === 0 ? { text: "Enough." } : { tool_calls: [says("again")] };
  };
  const model = scriptedModel(Array.from({ length: 9 }, () => step));
  const agent = await open({ model, tools, agents, store, system_prompt: "You may do everything." });
  const { stop_reason, iterations } = await agent.run("CHILD: go on.");
  await agent.close();
  return { first: seen[0], stop_reason, iterations };
}

type Opened = Parameters<typeof Agent.resume>[1] & { readonly store: TranscriptStore };
interface Request {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
}

it.each([
  ["is resumed by its own id", (id: string) => (options: Opened) => Agent.resume(id, options)],
  ["is forked", (id: string) => (options: Opened) => Agent.fork(id, options)],
  [
    "is a fork that is resumed",
    (id: string) => async (options: Opened) => Agent.resume((await options.store.fork(id)).agent_id, options),
  ],
])("a subagent that %s stays within its definition", async (_, open) => {
  const { store, child } = await withChild();
  expect(await given(open(child), store)).toEqual({
    first: { tools: ["Echo", "Read", "Task"], system: "You only read." },
    stop_reason: "limit",
    iterations: 3,
  });
});

it("one that stood at the lowest place starts no others", async () => {
  const { store, child } = await withChild();
  const { first } = await given(
    (options) => Agent.resume(child, { ...options, limits: { agent_depth: 2 } }),
    store,
  );
  expect(first?.tools).toEqual(["Echo", "Read"]);
});

it("a subagent of a subagent is bound by both definitions", async () => {
  const store = memoryStore();
  const steps = [
    { tool_calls: [task({ agent_type: "reader" })] },
    { tool_calls: [task()] },
    { text: "Below." },
    { text: "Between." },
    { text: "Above." },
  ];
  const { agent } = agentOf(steps, { tools, agents, store });
  await agent.run("Delegate.");
  const [between] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
  const [below] = (await store.list({ parent_agent_id: between?.agent_id ?? "" })).transcripts;
  const { first } = await given((options) => Agent.resume(below?.agent_id ?? "", options), store);
  expect(first).toEqual({ tools: ["Echo", "Read"], system: "You only read." });
});

it("a subagent whose definition or parent is gone is not resumed", async () => {
  const { store, child } = await withChild();
  const model = scriptedModel([]);
  await expect(Agent.resume(child, { model, store })).rejects.toMatchObject({
    code: "unknown_agent",
    message: `The definition of the subagent "reader" is gone, so the limits of "${child}" are unknown.`,
  });
  const stored = await store.load(child);
  if (stored === undefined) throw new Error("Nothing is kept.");
  await expect(Agent.resume(stored, { model, agents })).rejects.toMatchObject({ code: "unknown_agent" });
  expect(() => new Agent({ model, agents, store, session: { resume: stored } })).toThrow(
    `new Agent: session.resume: "${child}" is a subagent, which stays within its definition.`,
  );
});

it("the first agent of a session has what it is given", async () => {
  const { store, parent } = await withChild();
  const { first } = await given((options) => Agent.resume(parent, options), store);
  expect(first).toEqual({
    tools: tools.map(({ name }) => name).toSorted(),
    system: "You may do everything.",
  });
});
