import { createHooks } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { agentOf, echo, says, story } from "./support/agents.ts";
import { calls, folders, NO_B } from "./support/skills.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

describe("hooks of a kind of subagent", () => {
  const GUARDED = `---\nname: guarded\ndescription: Guarded.\n${NO_B}\n---\nWork.\n`;

  it("hold for that subagent alone, in addition to those of its parent", async () => {
    const site = folders({ ".tenterhook/agents/guarded.md": GUARDED });
    await trustProject(site.cwd, site.environment);
    const hooks = createHooks();
    hooks.on("PreToolUse", { tools: ["Echo"] }, ({ tool_input }) =>
      tool_input?.text === "c" ? { type: "deny", reason: "Not c." } : undefined,
    );
    const { steps } = both(
      [{ tool_calls: [task({ agent_type: "guarded" })] }, { tool_calls: [says("b")] }],
      [{ tool_calls: [says("a"), says("b"), says("c")] }, { text: "child done" }],
    );
    const child: string[] = [];
    const { agent } = agentOf(steps, {
      ...site,
      hooks,
      tools: toolsWith(echo),
      onItem: (item) => {
        if (item.type === "subagent" && item.item.type === "tool_result") child.push(item.item.content);
      },
    });
    await agent.run("go");
    expect(child.toSorted()).toEqual(["Not b.", "Not c.", "a"]);
    expect(story(agent.transcript())).toContain("tool answers: b");
    expect(hooks.list()).toHaveLength(1);
  });

  it("keep it from starting when they are not trusted", async () => {
    const site = folders({ ".claude/agents/guarded.md": GUARDED });
    const { answers } = await calls([task({ agent_type: "guarded" })], site);
    expect(answers[0]).toMatch(/^tool fails: The subagent can't be started: The hooks in .*not trusted yet/);
  });

  it("hold when the subagent is resumed by its own id", async () => {
    const site = folders({ ".tenterhook/agents/guarded.md": GUARDED });
    await trustProject(site.cwd, site.environment);
    const store = memoryStore();
    const { steps } = both([{ tool_calls: [task({ agent_type: "guarded" })] }], [{ text: "child done" }]);
    const { agent } = agentOf(steps, { ...site, store, tools: toolsWith(echo) });
    await agent.run("go");
    const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
    const again = await Agent.resume(child?.agent_id ?? "", {
      model: scriptedModel([{ tool_calls: [says("b")] }]),
      store,
      environment: site.environment,
      tools: toolsWith(echo),
      mode: "bypass",
    });
    await again.run("on");
    await again.close();
    expect(story(again.transcript())).toContain("tool fails: Not b.");
  });
});
