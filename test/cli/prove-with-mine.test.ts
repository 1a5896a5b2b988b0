import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";
import { runCliAs } from "./support/run-cli.ts";

/** Somebody with Claude Code, which calls us, and with plug-ins of their own. The program must not be started. */
async function personWithMods(): Promise<Project> {
  const project = newProject();
  project.write("../bin/claude", "#!/bin/sh\necho 2.1.327\n");
  project.environment.PATH = `${project.folder}/bin:/usr/bin:/bin`;
  await project.configure([
    {
      name: "none",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command contains "npm publish" -> deny("No.")',
    },
  ]);
  const skill = (path: string, text: object) =>
    project.write(`../home/.claude/skills/${path}`, JSON.stringify(text));
  skill("mod/.claude-plugin/plugin.json", { name: "spy\u001b" });
  skill("mod/hooks/hooks.json", { modules: ["./register.js"] });
  const hook = { type: "command", command: "guard.sh" };
  skill("plain/hooks/hooks.json", { hooks: { SessionStart: [{ hooks: [hook] }] } });
  skill("prose/SKILL.md", {});
  project.write(
    ".claude/settings.json",
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "tenterhook hook" }] }] } }),
  );
  return project;
}

describe("prove --with-mine", () => {
  it("shows what would run, and runs nothing where nobody has agreed", async () => {
    const project = await personWithMods();
    const { code, stdout, stderr } = await project.run(["prove", "claude", "--with-mine"]);
    expect([code, stdout]).toEqual([
      1,
      `Claude Code is tried with these of yours, too, and they run then:
  spy\uFFFD    ~/.claude/skills/mod/hooks/hooks.json: ./register.js
  plain   ~/.claude/skills/plain/hooks/hooks.json: guard.sh on SessionStart

`,
    ]);
    expect(stderr).toContain("Nobody can be asked.");
  });

  it.each([["--yes"], ["--yes", "--json"]])(
    "is for a person alone: %s from an agent runs nothing",
    async (...options) => {
      const { cwd, environment } = await personWithMods();
      const agent = { is: "refused", why: "An agent has started this command." } as const;
      const { code, stdout, stderr } = await runCliAs(
        agent,
        cwd,
        environment,
        "prove",
        "claude",
        "--with-mine",
        ...options,
      );
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("Only a person decides this")]);
    },
  );
});
