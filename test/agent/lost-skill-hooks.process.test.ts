import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";
import { toolsWith } from "./support/tasks.ts";

const NO_B = `hooks:
  - name: no-b
    type: inline
    matcher: { events: [PreToolUse], tools: [Echo] }
    rules: 'args.text equals "b" -> deny("Not b.")'`;

const skill = (front: string): string => `---\n${front}\n---\nDo it.\n`;

it.each([
  ["deleted", (file: string) => rmSync(file)],
  ["rewritten without hooks", (file: string) => writeFileSync(file, skill("name: guard"))],
  [
    "rewritten as another skill",
    (file: string) => writeFileSync(file, skill(`name: other\n${NO_B.replaceAll("b", "c")}`)),
  ],
])(
  "a resumed conversation refuses every call when the file of a skill with hooks was %s",
  async (_, change) => {
    const home = scratch();
    const environment = {
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_STATE_HOME: join(home, "state"),
    };
    const file = join(home, ".claude/skills/guard/SKILL.md");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, skill(`name: guard\n${NO_B}`));
    const store = memoryStore();
    const load = { tool_calls: [{ name: "Skill", input: { skill: "guard" } }] };
    const { agent } = agentOf([load], { cwd: scratch(), environment, store, tools: toolsWith(echo) });
    await agent.run("go");
    await agent.close();
    change(file);
    const again = await Agent.resume(agent.agent_id, {
      model: scriptedModel([{ tool_calls: [says("a")] }]),
      store,
      environment,
      tools: toolsWith(echo),
      mode: "bypass",
    });
    await again.run("on");
    await again.close();
    const last = story(again.transcript()).findLast((line) => line.startsWith("tool "));
    expect(last).toContain("The skill guard was loaded before. Its hooks are gone from ");
  },
);
