import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

async function explained(project: Project, command = "git push --force") {
  const { stdout } = await project.run(["explain", command, "--json"]);
  const { decision, hooks } = JSON.parse(stdout);
  const would = hooks.flatMap(({ name, would: one }: { name: string; would?: { action: string } }) =>
    one === undefined ? [] : [[name, one.action]],
  );
  return { action: decision.action, would };
}

describe("shadow mode", () => {
  it.each([
    ["a pack", "hooks: { use: [{ pack: git-safety, mode: shadow }] }\n"],
    ["a whole file", "hooks: { mode: shadow, use: [git-safety] }\n"],
  ])("of %s shows what it would have done, and stops nothing", async (_, text) => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", text);
    await trustProject(project.cwd, project.environment);
    expect(await explained(project)).toEqual({ action: "continue", would: [["git-safety-losses", "ask"]] });
    const { stdout } = await project.run(["explain", "git push --force"]);
    expect(stdout).toContain("\n  Shadow    git-safety-losses would ask: ");
  });

  it("of a file holds for its own hooks, and those of a file that it uses", async () => {
    const hook = (name: string, word: string) => `
    - name: ${name}
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command contains "${word}" -> deny("No ${word}.")
`;
    const project = newProject();
    project.write("rules/team.yaml", `hooks:\n  definitions:${hook("team", "push")}`);
    project.write(
      ".tenterhook/hooks.yaml",
      `hooks:\n  mode: shadow\n  use: [../rules/team.yaml]\n  definitions:${hook("own", "force")}`,
    );
    await trustProject(project.cwd, project.environment);
    expect(await explained(project)).toEqual({
      action: "continue",
      would: [
        ["team", "deny"],
        ["own", "deny"],
      ],
    });
  });

  it("needs trust: a pack that a commit put in the shadow refuses until a person agrees", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [git-safety] }\n");
    await trustProject(project.cwd, project.environment);
    expect((await explained(project, "ls")).action).toBe("continue");
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [{ pack: git-safety, mode: shadow }] }\n");
    expect((await explained(project, "ls")).action).toBe("deny");
    await trustProject(project.cwd, project.environment);
    expect((await explained(project, "ls")).action).toBe("continue");
  });

  it("of a pack counts for nothing where another file of the project enforces it", async () => {
    const project = newProject();
    project.write("rules/team.yaml", "hooks: { use: [git-safety] }\n");
    project.write(
      ".tenterhook/hooks.yaml",
      "hooks: { use: [{ pack: git-safety, mode: shadow }, ../rules/team.yaml] }\n",
    );
    await trustProject(project.cwd, project.environment);
    expect(await explained(project)).toEqual({ action: "ask", would: [] });
  });

  it("of a file counts for nothing where another file of the project enforces it", async () => {
    const project = newProject();
    project.write("rules/deep.yaml", "hooks: { use: [git-safety] }\n");
    project.write("rules/team.yaml", "hooks: { use: [./deep.yaml] }\n");
    project.write(
      ".tenterhook/hooks.yaml",
      "hooks: { use: [{ pack: ../rules/team.yaml, mode: shadow }, ../rules/team.yaml] }\n",
    );
    await trustProject(project.cwd, project.environment);
    expect(await explained(project)).toEqual({ action: "ask", would: [] });
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [{ pack: ../rules/team.yaml, mode: shadow }] }\n");
    project.write(".tenterhook/hooks.local.yaml", "hooks: { use: [../rules/team.yaml] }\n");
    await trustProject(project.cwd, project.environment);
    expect((await explained(project)).action).toBe("ask");
  });

  it("of a pack in the user's file leaves the project's in force", async () => {
    const project = newProject();
    project.write(
      "../config/tenterhook/hooks.yaml",
      "hooks: { use: [{ pack: git-safety, mode: shadow }] }\n",
    );
    expect(await explained(project)).toEqual({ action: "continue", would: [["git-safety-losses", "ask"]] });
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [git-safety] }\n");
    await trustProject(project.cwd, project.environment);
    expect((await explained(project)).action).toBe("ask");
  });

  it("is what list and show say of a hook", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [{ pack: git-safety, mode: shadow }] }\n");
    await trustProject(project.cwd, project.environment);
    const listed = await project.run(["list"]);
    expect(listed.stdout).toMatch(/git-safety-losses +PreToolUse +shadow /);
    const { hooks } = JSON.parse((await project.run(["list", "--json"])).stdout);
    expect(hooks[0]).toMatchObject({ enabled: true, mode: "shadow" });
    const shown = await project.run(["show", "git-safety-losses"]);
    expect(shown.stdout).toMatch(/state +shadow: it only shows what it would do, trusted\n/);
  });

  it("of a pack that is enforced as well is a warning at its line", async () => {
    const project = newProject();
    project.write(
      ".tenterhook/hooks.yaml",
      "hooks:\n  use:\n    - git-safety\n    - { pack: git-safety, mode: shadow }\n",
    );
    const { stdout } = await project.run(["check"]);
    expect(stdout).toMatch(
      /^warning .*hooks\.yaml:4:7.* git-safety is used twice, once with mode: shadow: it is enforced/s,
    );
  });

  it("is one of two words", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [{ pack: git-safety, mode: dark }] }\n");
    const { code, stdout } = await project.run(["check"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("hooks.yaml:1:")]);
  });
});
