import { createHooks } from "tenterhook";
import { Agent, type AgentItem, defaultTools, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";

/** A tool that ends when it is told to, and tells when it began. */
function gateTool() {
  let begin = () => {};
  let end = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const tool: Tool = {
    ...echo,
    name: "Gate",
    run: async () => {
      begin();
      await over;
      return { content: "open" };
    },
  };
  return { tool, begun, open: () => end() };
}

it("an agent that is being run is not run beside it: the second one hears who has it, and no hook runs", async () => {
  const store = memoryStore();
  const { tool, begun, open } = gateTool();
  const first = agentOf([{ tool_calls: [says("", "Gate")] }, { text: "Done." }], { store, tools: [tool] });
  const running = first.agent.run("Go.");
  await begun;
  const hooks = createHooks();
  const events: unknown[] = [];
  hooks.on("SessionStart", ({ source }) => {
    events.push(source);
  });
  const options = { model: scriptedModel([{ text: "Other." }]), tools: [tool], store, hooks };
  const second = await Agent.resume(first.agent.agent_id, options);
  await expect(second.continue()).rejects.toMatchObject({
    code: "agent_in_use",
    message: expect.stringMatching(
      new RegExp(
        `^Agent "${first.agent.agent_id}" is being run by this process ${process.pid} on \\S+, since 2`,
      ),
    ),
    hint: expect.stringContaining(`tenterhook sessions fork ${first.agent.agent_id}`),
  });
  const fork = await Agent.fork(first.agent.agent_id, { ...options, hooks: createHooks() });
  expect(await fork.run("Meanwhile?")).toMatchObject({ text: "Other." });
  open();
  expect(await running).toMatchObject({ text: "Done.", stop_reason: "complete" });
  await expect(second.continue()).rejects.toMatchObject({ code: "agent_changed" });
  expect(events).toEqual([]);
  const third = await Agent.resume(first.agent.agent_id, {
    ...options,
    model: scriptedModel([{ text: "Third." }]),
  });
  expect(await third.run("And now?")).toMatchObject({ text: "Third." });
  await expect(first.agent.run("And I?")).rejects.toMatchObject({ code: "agent_changed" });
  for (const agent of [second, fork, third]) await agent.close();
});

it("an agent nobody runs can go on and on, also after one that failed", async () => {
  const store = memoryStore();
  const { agent } = agentOf([{ text: "1" }, { error: { status: 400, message: "no" } }, { text: "3" }], {
    store,
  });
  expect([
    (await agent.run("One.")).stop_reason,
    (await agent.run("Two.")).stop_reason,
    (await agent.run("Three.")).text,
    await store.holder(agent.agent_id),
  ]).toEqual(["complete", "error", "3", undefined]);
});

it("a subagent that works in the background is not started a second time", async () => {
  const store = memoryStore();
  const { tool, open } = gateTool();
  const input = { agent_type: "general-purpose", task: "CHILD", description: "wait" };
  let id = "";
  const child = ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) => {
    if (JSON.stringify(prompt.find(({ role }) => role === "user")).includes("CHILD"))
      return JSON.stringify(prompt).includes("tool-result")
        ? { text: "Child is done." }
        : { tool_calls: [says("", "Gate")] };
    const sent = JSON.stringify(prompt);
    id = /sub-[0-9a-f]{24}/.exec(sent)?.[0] ?? "";
    if (id === "") return { tool_calls: [{ name: "Task", input: { ...input, run_in_background: true } }] };
    return sent.includes("still at work")
      ? { text: "Then not." }
      : { tool_calls: [{ name: "Task", input: { ...input, resume_agent_id: id } }] };
  };
  const cwd = scratch();
  const { agent } = agentOf(
    Array.from({ length: 20 }, () => child),
    {
      store,
      cwd,
      tools: [...defaultTools(), tool],
    },
  );
  const items: AgentItem[] = [];
  const { text } = await agent.run("Delegate.", { onItem: (item) => items.push(item) });
  open();
  expect(text).toBe("Then not.");
  expect(story(agent.transcript()).find((line) => line.startsWith("tool fails"))).toBe(
    `tool fails: The subagent ${id} is still at work; its result is delivered when it is done.`,
  );
});
