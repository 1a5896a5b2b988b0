import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { defaultTools } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, promptTexts, story } from "./support/agents.ts";
import { calls, type Files, folders, load, skill } from "./support/skills.ts";

describe("skills", () => {
  it("are listed for the model by name and description, those of the user first, and load with their folder", async () => {
    const site = folders({
      ".claude/skills/review/SKILL.md": skill("description: Reviews a change.", "Look closely."),
      ".tenterhook/skills/deploy/SKILL.md": skill("name: ship\ndescription: Ships it."),
      "~/.claude/skills/notes/SKILL.md": skill("description: Takes notes."),
      "~/.config/tenterhook/skills/review/SKILL.md": skill("description: Mine.", "My way."),
      ".claude/skills/hidden/SKILL.md": skill("description: For people.\ndisable-model-invocation: true"),
      ".claude/skills/empty/README.md": "no skill",
    });
    let described = "";
    const step = (request: { tools?: readonly { name: string; description?: string }[] }) => {
      described = request.tools?.find(({ name }) => name === "Skill")?.description ?? "";
      return { tool_calls: [load("review"), load("ship")] };
    };
    const { agent } = agentOf([step], { ...site, tools: defaultTools() });
    await agent.run("go");
    expect(described.split("\n\n").at(-1)).toBe(
      "The skills:\n- review: Mine.\n- notes: Takes notes.\n- ship: Ships it.",
    );
    const told = story(agent.transcript()).join("\n");
    expect(told).toContain(
      `The folder of this skill: ${site.environment.HOME}/.config/tenterhook/skills/review\n\nMy way.`,
    );
    expect(told).toContain(`The folder of this skill: ${site.cwd}/.tenterhook/skills/deploy\n\nDo it.`);
  });

  it.each([
    ["Work on $ARGUMENTS.", "a 'b c'", "Work on a 'b c'."],
    ["From $0 to $ARGUMENTS[1].", "a 'b c'", "From a to b c."],
    ["Do it.", "$& quickly", "Do it.\n\nARGUMENTS: $& quickly"],
    [`It costs $100; see $${"{CLAUDE_SKILL_DIR}"}/a.md.`, "", "It costs $100; see ./.claude/skills/it/a.md."],
  ])("take arguments: %s", async (body, args, text) => {
    const { answers } = await calls(
      [load("it", args)],
      folders({ ".claude/skills/it/SKILL.md": skill("name: it", body) }),
    );
    expect(answers[0]).toBe(`tool answers: The folder of this skill: ./.claude/skills/it\n\n${text}`);
  });

  it("fire SkillLoaded, and can be refused as every call can", async () => {
    const hooks = createHooks();
    const events: unknown[] = [];
    hooks.on("SkillLoaded", ({ skill_name, file_path }) => {
      events.push([skill_name, file_path]);
    });
    const site = folders({ ".claude/skills/it/SKILL.md": skill("name: it") });
    await calls([load("it")], site, { hooks });
    expect(events).toEqual([["it", join(site.cwd, ".claude/skills/it/SKILL.md")]]);
    const { answers } = await calls([load("it")], site, { permissions: { deny: ["Skill"], mode: "bypass" } });
    expect(answers[0]).toMatch(/^tool fails: .*Skill/);
  });

  it.each([
    ["an unknown one", {}, 'There is no skill "it". There are:\nnone'],
    ["a path", { ".claude/skills/other/SKILL.md": skill("name: other") }, 'There is no skill "it"'],
    [
      "one without front matter",
      { ".claude/skills/it/SKILL.md": "Do it." },
      "it does not begin with front matter",
    ],
    [
      "one of ours with a misspelt key",
      { ".tenterhook/skills/it/SKILL.md": skill("name: it\nhook: []") },
      'the key "hook" is not known. Did you mean "hooks"?',
    ],
    ["one with a wrong name", { ".claude/skills/it/SKILL.md": skill("name: [a]") }, "its name must be"],
    [
      "one that is huge",
      { ".claude/skills/it/SKILL.md": skill("name: it", "x".repeat(200_001)) },
      "can't be used",
    ],
  ])("refuse %s with a reason", async (_, files: Files, reason) => {
    const { answers } = await calls([load("it")], folders(files));
    expect(answers[0]).toMatch(/^tool fails: /);
    expect(answers[0]).toContain(reason);
  });

  it("do not follow links out of their folder or the workspace", async () => {
    const outside = folders({ "SKILL.md": skill("name: it", "SECRET") }).cwd;
    const linked = folders({ ".claude/skills/it/a.md": "a" });
    symlinkSync(join(outside, "SKILL.md"), join(linked.cwd, ".claude/skills/it/SKILL.md"));
    const whole = folders({ ".claude/skills/b/SKILL.md": skill("name: b") });
    symlinkSync(outside, join(whole.cwd, ".claude/skills/it"));
    for (const [site, reason] of [
      [linked, "a link that leads out of its folder"],
      [whole, "a link that leads out of the workspace"],
    ] as const) {
      const { answers } = await calls([load("it")], site);
      expect(answers[0]).toContain(reason);
      expect(answers[0]).not.toContain("SECRET");
    }
  });

  it("of the user can be read with the files of their folder, and nothing beside it", async () => {
    const site = folders({
      "~/.claude/skills/it/SKILL.md": skill("name: it"),
      "~/.claude/skills/it/more/a.md": "details",
      "~/.claude/secret.md": "SECRET",
    });
    const skills = join(site.environment.HOME ?? "", ".claude");
    symlinkSync(join(skills, "secret.md"), join(skills, "skills/it/link.md"));
    const read = (file: string) => ({ name: "Read", input: { file_path: join(skills, file) } });
    const { answers } = await calls(
      [
        read("skills/it/more/a.md"),
        load("it"),
        ...["skills/it/more/a.md", "skills/it/link.md", "secret.md"].map(read),
      ],
      site,
    );
    expect(answers[0]).toContain("outside the workspace");
    expect(answers[2]).toContain("details");
    expect(answers[3]).toContain("outside the workspace");
    expect(answers[4]).toContain("outside the workspace");
    const careful = await calls([load("it"), ...["skills/it/more/a.md", "secret.md"].map(read)], site, {
      permissions: {},
      mode: "dont-ask",
    });
    expect(careful.answers[1]).toContain("details");
    expect(careful.answers[2]).toMatch(/^tool fails: /);
  });
});

it("the text of a skill reaches the model", async () => {
  const site = folders({ ".claude/skills/it/SKILL.md": skill("name: it", "Whisper.") });
  let seen: readonly string[] = [];
  const { agent } = agentOf(
    [
      { tool_calls: [load("it")] },
      ({ prompt }) => {
        seen = promptTexts(prompt);
        return { text: "ok" };
      },
    ],
    { ...site, tools: defaultTools() },
  );
  await agent.run("go");
  expect(seen.join("\n")).toContain("Whisper.");
});
