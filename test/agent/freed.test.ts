import { createHooks } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { collectGarbage } from "../support/garbage.ts";
import { echo, says, scratch } from "./support/agents.ts";

/** Collects garbage, and waits until what hears of that was called, up to so often, or until this is so. */
async function collected(rounds: number, isDone = () => false): Promise<void> {
  for (let round = 0; round < rounds && !isDone(); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Runs agents that nobody closes or holds, and returns their conversations. */
async function leaveAgents(count: number, hooks = createHooks()): Promise<readonly WeakRef<object>[]> {
  const left: WeakRef<object>[] = [];
  const cwd = scratch();
  for (let number = 0; number < count; number += 1) {
    const model = scriptedModel([{ tool_calls: [says("hello")] }, { text: "Done." }]);
    const agent = new Agent({ model, tools: [echo], hooks, cwd, mode: "bypass", onItem: () => {} });
    await agent.run("Go.");
    for (const message of agent.transcript()) left.push(new WeakRef(message));
  }
  return left;
}

describe("an agent that is not closed", () => {
  it("is freed when nobody holds it, also with hooks that others use", async () => {
    const hooks = createHooks();
    const left = await leaveAgents(5, hooks);
    expect(left.length).toBe(20);
    const held = () => left.filter((message) => message.deref() !== undefined);
    await collected(100, () => held().length === 0);
    expect(held()).toEqual([]);
    expect(hooks.list()).toEqual([]);
  });

  it("ends its session when it is freed, once", async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.on("SessionEnd", ({ session_id, reason }) => {
      ended.push(`${session_id} ${reason}`);
    });
    hooks.on("MemoryUpdate", () => {});
    const started: string[] = [];
    hooks.on("SessionStart", ({ session_id }) => {
      started.push(`${session_id} freed`);
    });
    await leaveAgents(3, hooks);
    await collected(100, () => ended.length === 3);
    await collected(1);
    expect(ended.sort()).toEqual(started.sort());
    expect(ended.length).toBe(3);
  });

  it("stays while it works", async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.on("SessionEnd", ({ reason }) => {
      ended.push(String(reason));
    });
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    hooks.on("PreModelRequest", async () => {
      await asked;
      return undefined;
    });
    const model = scriptedModel([{ text: "Done." }]);
    const running = new Agent({ model, tools: [echo], hooks, cwd: scratch() }).run("Go.");
    await collected(2);
    expect(ended).toEqual([]);
    answer();
    expect((await running).text).toBe("Done.");
  });
});
