import { createHooks } from "tenterhook";
import { Agent, scriptedModel, type Tool } from "tenterhook/agent";

import { memoryStore, type TranscriptStore } from "tenterhook/stores";
import { expect, it, vi } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";
import { both, copyOf, cutOffAfterTask, payments, type Step, task, toolsWith } from "./support/tasks.ts";

const pay = (id: string): Step => ({ tool_calls: [{ name: "Pay", input: { text: "100" }, id }] });

async function onlyChild(store: TranscriptStore, parent_agent_id: string): Promise<string> {
  const { transcripts } = await store.list({ parent_agent_id });
  expect(transcripts).toHaveLength(1);
  return transcripts[0]?.agent_id ?? "";
}

it.each([
  ["limit", { text: "That is all I may." }, "tool answers: That is all I may."],
  [
    "error",
    { error: { status: 400, message: "no such model" } },
    "tool fails: The subagent ended without an answer (error): ",
  ],
])("a subagent that ended with %s does not work again for the same call", async (status, end, expected) => {
  const { tool, paid } = payments();
  const agents = [{ name: "payer", description: "", ...(status === "limit" ? { max_iterations: 1 } : {}) }];
  const call = { tool_calls: [task({ agent_type: "payer" }, "T")] };
  const options = { tools: toolsWith(tool), agents };
  const { agent_id, store } = await cutOffAfterTask(both([call], [pay("P"), end]).steps, options);
  const child = await onlyChild(store, agent_id);
  expect((await store.load(child))?.metadata.status).toBe(status);
  const { steps, asked } = both([{ text: "Done." }], [pay("P2")]);
  const resumed = await Agent.resume(agent_id, { model: scriptedModel(steps), ...options, store });
  const { text } = await resumed.continue();
  await resumed.close();
  expect({ text, paid, asked }).toEqual({ text: "Done.", paid: ["100"], asked: { parent: 1, child: 0 } });
  expect(story(resumed.transcript())[2]).toContain(expected);
});

it("a subagent that was resumed and had answered does not work again for the same call", async () => {
  const { tool, paid } = payments();
  const options = { tools: toolsWith(tool) };
  let id = "";
  const again = () => ({ tool_calls: [task({ resume_agent_id: id, task: "CHILD: pay." }, "T2")] });
  const first = both(
    [{ tool_calls: [task({}, "T1")] }, again],
    [{ text: "Ready." }, pay("P"), { text: "Paid." }],
  );
  const spy = (request: Parameters<(typeof first.steps)[number]>[0]) => {
    id ||= /sub-[0-9a-f]+/.exec(JSON.stringify(request.prompt))?.[0] ?? "";
    return first.steps[0]?.(request) ?? {};
  };
  const { agent_id, store } = await cutOffAfterTask(
    first.steps.map(() => spy),
    options,
  );
  const { steps, asked } = both([{ text: "Done." }], [pay("P2")]);
  const resumed = await Agent.resume(agent_id, { model: scriptedModel(steps), ...options, store });
  const { text } = await resumed.continue();
  await resumed.close();
  expect({ text, paid, asked }).toEqual({ text: "Done.", paid: ["100"], asked: { parent: 1, child: 0 } });
  expect(story(resumed.transcript()).at(-2)).toBe(`tool answers: Paid.\n\n(agent_id: ${id})`);
});

it("a subagent that was resumed and cut off goes on where it was, and hears its task once", async () => {
  const { tool, paid } = payments();
  const store = memoryStore();
  const hooks = createHooks();
  let copy: TranscriptStore | undefined;
  hooks.on("PostToolUse", { tools: ["Pay"] }, async () => {
    copy ??= await copyOf(store);
  });
  let id = "";
  hooks.on("SubagentStart", ({ agent_id = "" }) => {
    id = agent_id;
  });
  const again = () => ({ tool_calls: [task({ resume_agent_id: id, task: "CHILD: pay." }, "T2")] });
  const first = both([{ tool_calls: [task({}, "T1")] }, again], [{ text: "Ready." }, pay("P")]);
  const { agent } = agentOf(first.steps, { tools: toolsWith(tool), store, hooks });
  await agent.run("Delegate.");
  if (copy === undefined) throw new Error("Nothing was paid.");
  const { steps, asked } = both([{ text: "Done." }], [{ text: "It may be paid." }]);
  const resumed = await Agent.resume(agent.agent_id, {
    model: scriptedModel(steps),
    tools: toolsWith(tool),
    store: copy,
  });
  const responses: unknown[] = [];
  const { text } = await resumed.continue({
    onItem: (item) => {
      if (item.type === "tool_result" && item.tool_name === "Task") responses.push(item.content);
    },
  });
  await resumed.close();
  expect({ text, paid, asked, responses }).toEqual({
    text: "Done.",
    paid: ["100"],
    asked: { parent: 1, child: 1 },
    responses: [`It may be paid.\n\n(agent_id: ${id})`],
  });
  const stored = JSON.stringify((await copy.load(id))?.messages);
  expect(stored.split("CHILD: pay.")).toHaveLength(2);
});

it("a subagent that works in the background is not started a second time", async () => {
  const store = memoryStore();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let id = "";
  const hooks = createHooks();
  hooks.on("SubagentStart", ({ agent_id = "" }) => {
    id = agent_id;
  });
  const wait: Tool = {
    ...echo,
    name: "Wait",
    run: async () => {
      await released;
      return { content: "waited" };
    },
  };
  const { steps, asked } = both(
    [
      { tool_calls: [task({ run_in_background: true }, "T1")] },
      () => ({ tool_calls: [task({ resume_agent_id: id, task: "CHILD: more." }, "T2")] }),
      { text: "Later then." },
      () => ({ tool_calls: [task({ resume_agent_id: id, task: "CHILD: more." }, "T3")] }),
    ],
    [{ tool_calls: [says("a", "Wait")] }, { text: "First." }, { text: "Second." }],
  );
  const { agent } = agentOf(steps, { tools: toolsWith(wait), store, hooks });
  await agent.run("Delegate.");
  expect(story(agent.transcript())[4]).toBe(
    `tool fails: The subagent ${id} is still at work; its result is delivered when it is done.`,
  );
  release();
  await vi.waitFor(async () => expect((await store.load(id))?.metadata.status).toBe("complete"), 45_000);
  expect(asked.child).toBe(2);
  await agent.run("And now?");
  expect(story(agent.transcript()).filter((line) => line.startsWith("tool answers: Second."))).toHaveLength(
    1,
  );
});

it("counts what was done for the call, and says when nothing outlives the agent", async () => {
  const hooks = createHooks();
  const responses: unknown[] = [];
  let id = "";
  hooks.on("PostToolUse", { tools: ["Task"] }, ({ tool_response }) => {
    if (!isRecord(tool_response)) return;
    const { agent_id, iterations, tool_use_count, transcript_saved } = tool_response;
    id = String(agent_id);
    responses.push({ iterations, tool_use_count, transcript_saved });
  });
  const { steps } = both(
    [{ tool_calls: [task()] }, () => ({ tool_calls: [task({ resume_agent_id: id })] })],
    [
      { tool_calls: [says("a"), says("b")] },
      { text: "First." },
      { tool_calls: [says("c")] },
      { text: "Second." },
    ],
  );
  const { agent } = agentOf(steps, { tools: toolsWith(echo), hooks });
  await agent.run("Delegate.");
  expect(responses).toEqual([
    { iterations: 2, tool_use_count: 2, transcript_saved: false },
    { iterations: 2, tool_use_count: 1, transcript_saved: false },
  ]);
});

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
