import { answer, createHooks, type HookEvent } from "tenterhook";
import { describe, expect, it } from "vitest";
import { agentOf, counting, says } from "./support/agents.ts";

const STORY = [{ tool_calls: [says("a", "Work")] }, { text: "done" }];

describe("a call whose result a hook gives", () => {
  it.each<[string, unknown, string]>([
    ["a text", "from the cache", "from the cache"],
    ["data", { rows: 3 }, '{"rows":3}'],
    ["a whole result", { content: "shown", data: { rows: 3 } }, "shown"],
  ])("does not run: the model reads %s, and nobody is asked", async (_, value, content) => {
    const { tool, ran } = counting("Work");
    const hooks = createHooks();
    const after: HookEvent<"PostToolUse">[] = [];
    hooks.on("PreToolUse", { name: "cache" }, () => answer(value));
    hooks.on("PostToolUse", (event) => {
      after.push(event);
    });
    const { agent } = agentOf(STORY, { tools: [tool], hooks, mode: "default" });
    await agent.run("go");
    expect(ran).toEqual([]);
    expect(agent.transcript()[2]?.parts).toMatchObject([{ tool_name: "Work", content }]);
    expect(after).toMatchObject([{ tool_name: "Work", answered_by: "cache" }]);
  });

  it("is still refused by a permission rule", async () => {
    const { tool, ran } = counting("Work");
    const hooks = createHooks();
    hooks.on("PreToolUse", () => answer("from the cache"));
    const permissions = { check: () => ({ action: "deny", reason: "Not today." }) as const };
    const { agent } = agentOf(STORY, { tools: [tool], hooks, permissions });
    await agent.run("go");
    expect(ran).toEqual([]);
    expect(agent.transcript()[2]?.parts).toMatchObject([{ content: "Not today.", is_error: true }]);
  });

  it("fails when the answer is a failed result", async () => {
    const { tool, ran } = counting("Work");
    const hooks = createHooks();
    const failures: unknown[] = [];
    hooks.on("PreToolUse", () => answer({ content: "No network.", is_error: true }));
    hooks.on("PostToolUseFailure", ({ error }) => {
      failures.push(error);
    });
    const { agent } = agentOf(STORY, { tools: [tool], hooks });
    await agent.run("go");
    expect([ran, failures]).toEqual([[], ["No network."]]);
  });
});
