import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { agentOf, echo, says } from "./support/agents.ts";
import { task, toolsWith } from "./support/tasks.ts";

const immediately = () => new Promise((resolve) => setImmediate(resolve));

/** The most subagents that worked at once in a run with this script of the parent. */
async function mostAtOnce(max_concurrency: number | undefined, nested = false) {
  const hooks = createHooks();
  const together = max_concurrency ?? 4;
  let now = 0;
  let most = 0;
  let ended = 0;
  hooks.on("PreModelRequest", { session_types: ["subagent"] }, async () => {
    now += 1;
    most = Math.max(most, now);
    // All that may work at once come together, and one too many would have the time to come as well.
    while (most < together) await immediately();
    for (let at = 0; at < 5; at += 1) await immediately();
    now -= 1;
  });
  hooks.on("AgentStop", { session_types: ["subagent"] }, () => {
    ended += 1;
  });
  const call = (text: string) => task({ task: `CHILD: ${text}` });
  const play = ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) => {
    const users = JSON.stringify(prompt.filter(({ role }) => role === "user"));
    const answered = prompt.some(({ role }) => role === "tool");
    if (answered) return { text: "done" };
    if (users.includes("CHILD: outer")) return { tool_calls: [call("inner")] };
    if (users.includes("CHILD:")) return { text: "done" };
    const texts = nested ? ["outer 1", "outer 2", "outer 3"] : ["1", "2", "3", "4"];
    return { tool_calls: texts.map(call) };
  };
  const limits = max_concurrency === undefined ? {} : { limits: { max_concurrency } };
  const { agent } = agentOf(
    Array.from({ length: 40 }, () => play),
    { hooks, tools: toolsWith().map((one) => ({ ...one, annotations: { read_only: true } })), ...limits },
  );
  await agent.run("go");
  await agent.close();
  return { most, ended };
}

it("subagents beyond the limit wait for their turn", async () => {
  expect(await mostAtOnce(undefined)).toEqual({ most: 4, ended: 4 });
  expect(await mostAtOnce(2)).toEqual({ most: 2, ended: 4 });
  expect(await mostAtOnce(1)).toEqual({ most: 1, ended: 4 });
});

it("a subagent that waits for its own does not keep them from working", async () => {
  expect(await mostAtOnce(1, true)).toEqual({ most: 1, ended: 6 });
  expect(await mostAtOnce(2, true)).toMatchObject({ ended: 6 });
});

/** Runs agents of one program together; the most that worked at once, and what they were told. */
async function agentsAtOnce(count: number, max_concurrency: number) {
  let now = 0;
  let most = 0;
  const notices: string[] = [];
  const agents = Array.from({ length: count }, () => {
    const hooks = createHooks();
    hooks.on("PreModelRequest", async () => {
      now += 1;
      most = Math.max(most, now);
      while (most < max_concurrency) await immediately();
      for (let at = 0; at < 5; at += 1) await immediately();
      now -= 1;
    });
    return agentOf([], { hooks, limits: { max_concurrency } }).agent;
  });
  const onItem = (item: { type: string; text?: string }) =>
    item.type === "notice" && notices.push(item.text ?? "");
  const results = await Promise.all(agents.map((agent) => agent.run("go", { onItem })));
  expect(results.map(({ stop_reason }) => stop_reason)).toEqual(Array(count).fill("complete"));
  return { most, notices };
}

it("agents of one program beyond the limit wait for their turn, and say so", async () => {
  expect(await agentsAtOnce(3, 3)).toEqual({ most: 3, notices: [] });
  const waits = "1 agent is at work already (limits.max_concurrency), so this one waits.";
  expect(await agentsAtOnce(3, 1)).toEqual({ most: 1, notices: [waits, waits] });
});

it("an agent that a tool of another runs does not wait for it", async () => {
  const limits = { max_concurrency: 1 };
  const asking = {
    ...echo,
    run: async () => ({ content: (await agentOf([{ text: "inner" }], { limits }).agent.run("go")).text }),
  };
  const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "outer" }], { limits, tools: [asking] });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "complete", text: "outer" });
});

it("an agent that waits for its turn can be interrupted", async () => {
  const limits = { max_concurrency: 1 };
  const second = agentOf([], { limits }).agent;
  const first = agentOf([], { limits }).agent;
  const running = first.run("go");
  const onItem = ({ type }: { type: string }) => type === "notice" && second.interrupt();
  expect(await second.run("go", { onItem })).toMatchObject({ stop_reason: "cancelled" });
  expect(await running).toMatchObject({ stop_reason: "complete" });
});
