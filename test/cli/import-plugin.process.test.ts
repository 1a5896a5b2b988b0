import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { HOOKS, said, withPlugin } from "./support/import-plugin.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const definitions = (project: Project) =>
  parse(readFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), "utf8")).hooks.definitions;

describe("a plug-in of Claude Code", () => {
  it.each(["guard", "guard@market", "its folder"])(
    "that is imported by %s keeps guarding when Claude Code updates it",
    async (given) => {
      const project = newProject({ decidesHere: true });
      const { update, plugins } = withPlugin(project);
      const folder = update("1.0.0", "first");
      const name = given === "its folder" ? folder : given;
      const { stdout } = await project.run(["import", "claude", name, "--user", "--yes", "--remove"]);
      expect(definitions(project)).toMatchObject([
        { name: "guard", plugin: "guard@market", on_failure: { missing: "closed" } },
      ]);
      expect(readFileSync(join(folder, "hooks/hooks.json"), "utf8")).toBe(HOOKS);
      expect(said({ stdout })).toContain(": claude plugin disable guard@market");
      expect((await project.hook(shellCall("ls"))).stdout).toContain("first");
      update("1.1.0", "second");
      expect((await project.hook(shellCall("ls"))).stdout).toContain("second");
      expect(readFileSync(join(plugins, "data/guard-market/asked"), "utf8")).toBe("");
    },
  );

  it("that is gone refuses, and doctor says so; so does a script that is gone from it", async () => {
    const project = newProject({ decidesHere: true });
    const { update, plugins } = withPlugin(project, "safe-rm@acme");
    const folder = update("3", "no");
    await project.run(["import", "claude", "safe-rm", "--user", "--yes"]);
    renameSync(join(folder, "guard.sh"), join(folder, "other.sh"));
    expect(said(await project.run(["doctor"]))).toMatch(/hook safe-rm-guard There is no script/);
    expect((await project.hook(shellCall("ls"))).stdout).toContain('"deny"');
    rmSync(join(plugins, "installed_plugins.json"));
    expect(said(await project.run(["doctor"]))).toContain("Claude Code has no plug-in safe-rm@acme any more");
    expect((await project.hook(shellCall("ls"))).stdout).toContain("has no plug-in safe-rm@acme any more");
  });
});
