import { createHooks } from "tenterhook";
import type { AgentItem, Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo } from "./support/agents.ts";
import { task, toolsWith } from "./support/tasks.ts";

type Prompt = readonly { readonly role: string; readonly content: unknown }[];

it("close() waits for what a subagent has in the background, and keeps how that ended", async () => {
  const hooks = createHooks();
  const events: string[] = [];
  hooks.on(["AgentStop", "SessionEnd"], ({ hook_event_name, agent_id = "" }) => {
    events.push(`${hook_event_name} ${agent_id.slice(0, 3)}`);
  });
  let working = (): void => {};
  const atWork = new Promise<void>((resolve) => {
    working = resolve;
  });
  const wait: Tool = {
    ...echo,
    name: "Wait",
    run: (_, { signal }) =>
      new Promise((resolve) => {
        working();
        // As a process would: it takes a moment to end.
        signal.addEventListener("abort", () => setTimeout(resolve, 50, { content: "ended" }));
      }),
  };
  const play = ({ prompt }: { prompt: Prompt }) => {
    const first = JSON.stringify(prompt.find(({ role }) => role === "user")?.content);
    if (first.includes("GRANDCHILD")) return { tool_calls: [{ name: "Wait", input: { text: "" } }] };
    if (prompt.some(({ role }) => role === "tool")) return atWork.then(() => ({ text: "Delegated." }));
    const more = first.includes("CHILD")
      ? { task: "GRANDCHILD", run_in_background: true }
      : { task: "CHILD" };
    return { tool_calls: [task(more)] };
  };
  const store = memoryStore();
  const steps = Array.from({ length: 10 }, () => play);
  const notices: string[] = [];
  const onItem = (item: AgentItem): void => {
    if (item.type === "notice") notices.push(item.text);
  };
  const { agent } = agentOf(steps, { hooks, store, tools: toolsWith(wait), onItem });
  expect((await agent.run("Delegate.")).text).toBe("Delegated.");
  await agent.close();
  const { transcripts } = await store.list({ session_id: agent.session_id });
  expect(transcripts.map(({ title, status }) => `${title} ${status}`).sort()).toEqual([
    "CHILD complete",
    "Delegate. complete",
    "GRANDCHILD cancelled",
  ]);
  const root = agent.agent_id.slice(0, 3);
  expect(events).toEqual(["AgentStop sub", `AgentStop ${root}`, "AgentStop sub", `SessionEnd ${root}`]);
  expect(notices).toEqual([
    "A subagent in the background was stopped with the session, before the work was done. When the session is resumed, its agent reads how to continue them.",
  ]);
});
