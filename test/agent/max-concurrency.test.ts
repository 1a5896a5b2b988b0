import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { agentOf } from "./support/agents.ts";
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
