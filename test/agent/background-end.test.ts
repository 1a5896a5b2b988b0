import { Agent, type AgentItem, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

it("a subagent that is stopped with the session is told of, to whoever listens and to the resumed model", async () => {
  const store = memoryStore();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const wait: Tool = {
    ...echo,
    name: "Wait",
    run: () => {
      begin();
      return new Promise(() => {});
    },
  };
  const until: Tool = {
    ...echo,
    name: "Until",
    run: async () => {
      await begun;
      return { content: "begun" };
    },
  };
  const tools = toolsWith(wait, until);
  const { steps } = both(
    [
      { tool_calls: [task({ run_in_background: true }, "T")] },
      { tool_calls: [says("b", "Until")] },
      { text: "It works." },
    ],
    [{ tool_calls: [says("a", "Wait")] }],
  );
  const notices: string[] = [];
  const { agent } = agentOf(steps, { tools, store });
  const onItem = (item: AgentItem): void => {
    if (item.type === "notice") notices.push(item.text);
  };
  expect((await agent.run("Delegate.", { onItem, close: true })).text).toBe("It works.");
  expect(notices).toEqual([
    "A subagent in the background was stopped with the session, before the work was done. When the session is resumed, its agent reads how to continue them.",
  ]);
  const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
  expect(child?.status).toBe("cancelled");
  const model = scriptedModel([{ text: "I see." }]);
  const resumed = await Agent.resume(agent.agent_id, { model, tools, store });
  await resumed.run("What came of it?");
  await resumed.close();
  expect(story(resumed.transcript()).at(-2)).toBe(
    `user text: Task (T), which ran in the background, was cut off:\nThe subagent ${child?.agent_id} was stopped before it had answered (cancelled): the outcome of its work is unknown. Its conversation is stored: to continue it, call Task with resume_agent_id "${child?.agent_id}".`,
  );
});
