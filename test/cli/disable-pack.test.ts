import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject } from "./support/project.ts";

it("a pack is disabled and enabled as a whole", async () => {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell, git-safety] }\n");
  await trustProject(project.cwd, project.environment);
  const off = async () => {
    const { hooks } = JSON.parse((await project.run(["list", "--json"])).stdout);
    const disabled = hooks.filter(({ enabled }: { enabled: boolean }) => !enabled);
    return new Set(disabled.map(({ pack }: { pack: string }) => pack));
  };
  expect((await project.run(["disable", "safe-shell"])).stdout).toContain("safe-shell is off");
  expect(await off()).toEqual(new Set(["safe-shell"]));
  expect((await project.run(["disable", "safe-shell"])).stdout).toBe("safe-shell is off already.\n");
  expect((await project.run(["enable", "safe-shell"])).stdout).toContain("safe-shell is on");
  expect(await off()).toEqual(new Set());
});

describe("a rule of a pack", () => {
  async function reasonFor(project: ReturnType<typeof newProject>, line: string) {
    const { decision } = JSON.parse((await project.run(["explain", line, "--json"])).stdout);
    return decision.reason;
  }

  it("is disabled and enabled by its name, in every pack that has it, and the others stay on", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell, git-safety] }\n");
    await trustProject(project.cwd, project.environment);
    expect(await reasonFor(project, "git stash clear")).toContain("(rule git-lose-recovery)");
    expect((await project.run(["disable", "git-lose-recovery"])).stdout).toContain(
      "git-lose-recovery is off",
    );
    expect(await reasonFor(project, "git stash clear")).toBeUndefined();
    expect(await reasonFor(project, "git branch -D old")).toContain("(rule git-delete-branch)");
    expect((await project.run(["disable", "git-lose-recovery"])).stdout).toBe(
      "git-lose-recovery is off already.\n",
    );
    expect((await project.run(["enable", "git-lose-recovery"])).stdout).toContain("git-lose-recovery is on");
    expect(await reasonFor(project, "git stash clear")).toContain("(rule git-lose-recovery)");
  });

  it("of the user's own packs stays on when a project's file turns it off", async () => {
    const project = newProject();
    project.write("../config/tenterhook/hooks.yaml", "hooks: { use: [safe-shell] }\n");
    project.write(".tenterhook/hooks.yaml", "hooks: { disabled: [git-lose-recovery] }\n");
    await trustProject(project.cwd, project.environment);
    expect(await reasonFor(project, "git stash clear")).toContain("(rule git-lose-recovery)");
    expect((await project.run(["validate"])).stdout).toContain(
      'hooks.disabled names "git-lose-recovery", which stays on: it is a rule of the user scope',
    );
  });

  it("that is the last of its hook turns the hook off", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [protect-secrets], disabled: [reverse-shell] }\n");
    await trustProject(project.cwd, project.environment);
    const { hooks } = JSON.parse((await project.run(["list", "--disabled", "--json"])).stdout);
    expect(hooks.map(({ name }: { name: string }) => name)).toEqual(["protect-secrets-shells"]);
  });

  it("is shown with what it stops, what it lets through, and whether it is on", async () => {
    const project = newProject();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell] }\n");
    await trustProject(project.cwd, project.environment);
    expect((await project.run(["show", "git-clean"])).stdout).toBe(
      [
        "git-clean  ask",
        "why             This deletes files git does not track.",
        "instead         List them first: git clean -n.",
        "stops           git clean -xfd",
        "                git -C app clean -fdx",
        "lets through    git clean -n",
        "                git clean -nd",
        "state           on, in safe-shell-git; tenterhook off git-clean",
        "",
      ].join("\n"),
    );
    await project.run(["disable", "git-clean"]);
    expect((await project.run(["show", "git-clean"])).stdout).toContain(
      "state           off; tenterhook on git-clean",
    );
  });
});
