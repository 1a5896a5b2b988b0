import { expect, it } from "vitest";
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
