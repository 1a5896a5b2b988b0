import { existsSync } from "node:fs";
import { join } from "node:path";
import { Agent, type AgentOptions, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, reply, scratch } from "./support/agents.ts";

const write = (cwd: string) => ({
  tool_calls: [{ name: "Write", input: { file_path: join(cwd, "f.txt"), content: "x" } }],
});
const plans = [
  { tool_calls: [{ name: "EnterPlanMode", input: {} }] },
  { tool_calls: [{ name: "ExitPlanMode", input: { plan: "Write f.txt." } }] },
];

/** An agent that waits for a human to agree to its plan. */
async function planned(permissions: AgentOptions["permissions"] = { mode: "accept-edits" }) {
  const cwd = scratch();
  const options = { store: memoryStore(), tools: defaultTools(), suspend: true, cwd, permissions };
  const { agent } = agentOf(plans, options);
  expect(await agent.run("Go.")).toMatchObject({ waiting_for: { type: "plan" } });
  await agent.close();
  const goOn = async (answers: unknown, changed: Partial<AgentOptions> = {}): Promise<boolean> => {
    const model = scriptedModel([write(cwd), { text: "Done." }]);
    const again = await Agent.resume(agent.agent_id, { ...options, ...changed, model });
    await again.continue(reply(again, answers));
    await again.close();
    return existsSync(join(cwd, "f.txt"));
  };
  return { goOn, store: options.store, id: agent.agent_id };
}

it("a plan that a human refuses in another process is not carried out", async () => {
  const { goOn, store, id } = await planned();
  expect((await store.load(id))?.metadata).toMatchObject({ mode: "plan", mode_before: "accept-edits" });
  expect(await goOn("no")).toBe(false);
});

it("a plan that a human agrees to in another process is carried out in the mode before it", async () => {
  const { goOn, store, id } = await planned();
  expect(await goOn("yes")).toBe(true);
  expect((await store.load(id))?.metadata).toMatchObject({ mode: "accept-edits" });
});

it("rules that became stricter meanwhile bind the mode that a plan leads back to", async () => {
  const { goOn } = await planned();
  expect(await goOn("yes", { permissions: { mode: "dont-ask" } })).toBe(false);
});

it("the mode in which an agent works is chosen anew by an option, and never by a resume alone", async () => {
  const cwd = scratch();
  const options = { store: memoryStore(), tools: defaultTools(), cwd, permissions: {} };
  const { agent } = agentOf([{ text: "Looked." }], { ...options, mode: "plan" });
  await agent.run("Look.");
  await agent.close();
  const written = async (changed: Partial<AgentOptions>): Promise<boolean> => {
    const model = scriptedModel([write(cwd), { text: "Done." }]);
    const again = await Agent.resume(agent.agent_id, { ...options, ...changed, model });
    await again.run("Write.");
    await again.close();
    return existsSync(join(cwd, "f.txt"));
  };
  expect([
    await written({}),
    await written({ permissions: { mode: "bypass" } }),
    await written({ mode: "accept-edits" }),
  ]).toEqual([false, false, true]);
});

it("a subagent that went into plan mode is in it still when it goes on", async () => {
  const cwd = scratch();
  const store = memoryStore();
  const options = {
    store,
    tools: defaultTools(),
    suspend: true,
    cwd,
    permissions: { mode: "accept-edits" },
  } as const;
  const input = { agent_type: "general-purpose", task: "t", description: "d" };
  const { agent } = agentOf([{ tool_calls: [{ name: "Task", input }] }, ...plans], options);
  expect(await agent.run("Go.")).toMatchObject({ waiting_for: { type: "subagent" } });
  await agent.close();
  const model = scriptedModel([write(cwd), { text: "Child." }, { text: "Done." }]);
  const again = await Agent.resume(agent.agent_id, { ...options, model });
  expect((await again.continue(reply(again, "no"))).text).toBe("Done.");
  await again.close();
  expect(existsSync(join(cwd, "f.txt"))).toBe(false);
});

it("a subagent that was started in plan mode leaves it for the mode its parent would", async () => {
  const cwd = scratch();
  const call = (name: string, input: Record<string, unknown>) => ({ tool_calls: [{ name, input }] });
  const task = call("Task", { agent_type: "general-purpose", task: "t", description: "d" });
  const left = call("ExitPlanMode", { plan: "Write it." });
  const { agent, hooks } = agentOf([call("EnterPlanMode", {}), task, left, write(cwd), { text: "Child." }], {
    tools: defaultTools(),
    cwd,
    permissions: { mode: "dont-ask" },
    approval: () => true,
  });
  const denied: string[] = [];
  hooks.on("PermissionDenied", ({ reason }) => {
    denied.push(String(reason));
  });
  await agent.run("Go.");
  expect(denied).toEqual([
    "Write is not read-only and no rule allows this call. In this mode nobody is asked.",
  ]);
});
