import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { readSkills } from "../../src/agent/definitions/read-skills.ts";
import { internals } from "../../src/core/internals.ts";
import { trustProject } from "../support/trust-project.ts";
import { agentOf, echo, says, story } from "./support/agents.ts";
import { calls, folders, load, NO_B, skill } from "./support/skills.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

describe("hooks of a skill", () => {
  it("are in force from its loading on, for the agent and the subagents it starts, until the agent is closed", async () => {
    const site = folders({ "~/.claude/skills/guard/SKILL.md": skill(`name: guard\n${NO_B}`) });
    const hooks = createHooks();
    const { steps } = both(
      [
        { tool_calls: [says("b")] },
        { tool_calls: [load("guard")] },
        { tool_calls: [says("b")] },
        { tool_calls: [task()] },
        { text: "done" },
        { tool_calls: [says("b")] },
      ],
      [{ tool_calls: [says("b")] }, { text: "child done" }],
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
    const results = (): readonly string[] =>
      story(agent.transcript()).filter((line) => /^tool (answers|fails): (b|Not b\.)$/.test(line));
    await agent.run("go");
    expect(results()).toEqual(["tool answers: b", "tool fails: Not b."]);
    expect(child).toEqual(["Not b."]);
    expect(hooks.list().map(({ name }) => name)).toEqual(["guard/no-b"]);
    await agent.run("again");
    expect(results().at(-1)).toBe("tool fails: Not b.");
    await agent.close();
    expect(hooks.list()).toEqual([]);
  });

  it("do not hold for another agent with the same hook set", async () => {
    const site = folders({ "~/.claude/skills/guard/SKILL.md": skill(`name: guard\n${NO_B}`) });
    const hooks = createHooks();
    await calls([load("guard")], site, { hooks });
    const { answers } = await calls([says("b"), load("guard"), says("b")], site, { hooks });
    expect([answers[0], answers[2]]).toEqual(["tool answers: b", "tool fails: Not b."]);
  });

  it("hold for each of two agents with the same hook set that load the skill at the same time", async () => {
    const site = folders({ "~/.claude/skills/guard/SKILL.md": skill(`name: guard\n${NO_B}`) });
    const hooks = createHooks();
    const set = internals(hooks);
    const { definitions } = set;
    let preparing = 0;
    let letGo = (): void => {};
    const bothPrepare = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    set.definitions = {
      ...definitions,
      prepare: async (...given) => {
        preparing += 1;
        if (preparing === 2) letGo();
        await bothPrepare;
        return definitions.prepare(...given);
      },
    };
    const run = () => calls([load("guard"), says("b")], site, { hooks });
    const [one, other] = await Promise.all([run(), run()]);
    expect([one.answers[1], other.answers[1]]).toEqual(["tool fails: Not b.", "tool fails: Not b."]);
    expect(hooks.list().map(({ name }) => name)).toEqual(["guard/no-b", "guard/no-b (2)"]);
    await one.agent.close();
    await other.agent.close();
    expect(hooks.list()).toEqual([]);
  });

  it("of a project run only when the user has trusted the file as it is, and without them it is not loaded", async () => {
    const site = folders({ ".claude/skills/guard/SKILL.md": skill(`name: guard\n${NO_B}`) });
    const untrusted = await calls([load("guard"), says("b")], site);
    expect(untrusted.answers[0]).toContain("The skill guard was not loaded.");
    expect(untrusted.answers[0]).toContain("SKILL.md can't run: it is not trusted yet.");
    await trustProject(site.cwd, site.environment);
    const trusted = await calls([load("guard"), says("b")], site);
    expect(trusted.answers[1]).toBe("tool fails: Not b.");
    const file = join(site.cwd, ".claude/skills/guard/SKILL.md");
    writeFileSync(file, `${readFileSync(file, "utf8")}\nMore.`);
    const changed = await calls([load("guard")], site);
    expect(changed.answers[0]).toContain("has changed since it was trusted");
  });

  it("that were read before the file became the trusted one do not run", async () => {
    const site = folders({ ".claude/skills/guard/SKILL.md": skill(`name: guard\n${NO_B}`) });
    await trustProject(site.cwd, site.environment);
    const file = join(site.cwd, ".claude/skills/guard/SKILL.md");
    const trusted = readFileSync(file, "utf8");
    const { answers } = await calls([load("guard")], site, {
      context: {
        findSkills: async (cwd) => {
          writeFileSync(file, trusted.replace("Not b.", "Not trusted."));
          const found = await readSkills(cwd, site.environment);
          writeFileSync(file, trusted);
          return found;
        },
      },
    });
    expect(answers[0]).toContain("SKILL.md can't run: it has changed since it was trusted");
  });

  it("can be written as Claude Code writes them, and the scripts they run need trust too", async () => {
    const front = `name: guard
hooks:
  PreToolUse:
    - matcher: Echo
      hooks:
        - type: command
          command: sh ./check.sh`;
    const site = folders({
      ".claude/skills/guard/SKILL.md": skill(front),
      "check.sh": "echo 'Refused by the script.' >&2; exit 2",
    });
    await trustProject(site.cwd, site.environment);
    const { answers } = await calls([load("guard"), says("a")], site);
    expect(answers[1]).toContain("Refused by the script.");
    writeFileSync(join(site.cwd, "check.sh"), "exit 0");
    const changed = await calls([load("guard")], site);
    expect(changed.answers[0]).toContain("check.sh has changed since it was trusted");
  });

  it("can't allow what would be asked, nor answer in place of the user", async () => {
    const allowing = NO_B.replace(
      'args.text equals "b" -> deny("Not b.")',
      'args.text equals "a" -> allow("Fine.")',
    );
    const site = folders({
      "~/.claude/skills/loose/SKILL.md": skill(
        `name: loose\n${allowing.replace("tools: [Echo]", "tools: [Speak]")}`,
      ),
      "~/.claude/skills/prompt/SKILL.md": skill(
        `name: prompt\n${NO_B.replace("[PreToolUse], tools: [Echo]", "[AgentPrompt]")}`,
      ),
    });
    const speak = { ...echo, name: "Speak", annotations: {} };
    const { answers } = await calls([load("loose"), says("a", "Speak"), load("prompt")], site, {
      tools: toolsWith(speak),
      permissions: {},
    });
    expect(answers[1]).toContain("needs the approval of a human");
    expect(answers[2]).toMatch(/^tool fails: The skill prompt was not loaded\./);
  });

  it.each([
    ["no list", "hooks: yes please", "hooks must be a list of definitions"],
    ["a hook without a name", "hooks: [{ type: inline }]", "each hook must be an object with a name"],
    ["an unknown event", `${NO_B.replace("PreToolUse", "PreToolUsed")}`, "PreToolUsed"],
    ["a handler that can't be read", "hooks: { PreToolUse: [{ hooks: [{ type: shout }] }] }", '"shout"'],
  ])("that are %s keep the skill from being loaded", async (_, front, reason) => {
    const site = folders({ "~/.claude/skills/it/SKILL.md": skill(`name: it\n${front}`) });
    const { answers } = await calls([load("it")], site);
    expect(answers[0]).toContain("The skill it was not loaded.");
    expect(answers[0]).toContain(reason);
  });

  it("hold again when the conversation is resumed, and refuse every call when they can't run any more", async () => {
    const site = folders({ ".claude/skills/guard/SKILL.md": skill(`name: guard\n${NO_B}`) });
    await trustProject(site.cwd, site.environment);
    const store = memoryStore();
    const { agent } = await calls([load("guard")], site, { store });
    await agent.close();
    const resumed = async (...texts: readonly string[]) => {
      const model = scriptedModel(texts.map((text) => ({ tool_calls: [says(text)] })));
      const again = await Agent.resume(agent.agent_id, {
        model,
        store,
        environment: site.environment,
        tools: toolsWith(echo),
        mode: "bypass",
      });
      await again.run("on");
      await again.close();
      return story(again.transcript()).filter((line) => line.startsWith("tool "));
    };
    expect((await resumed("b")).at(-1)).toBe("tool fails: Not b.");
    const file = join(site.cwd, ".claude/skills/guard/SKILL.md");
    writeFileSync(file, skill("name: guard\nhooks: []"));
    expect((await resumed("a")).at(-1)).toContain("The skill guard was loaded before. The hooks in");
  });
});
