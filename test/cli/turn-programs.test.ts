import { expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject } from "./support/project.ts";

const FILE = '[turn_start]\ncommand = "date"\n';

it("list and the first screen name the programs of .agent/hook.toml, and say that untrusted ones do not run", async () => {
  const project = newProject();
  project.write(".agent/hook.toml", FILE);
  const list = async () => (await project.run(["list"])).stdout.replaceAll(/\s+/g, " ");
  const first = async () => (await project.run([])).stdout.replaceAll(/\s+/g, " ");
  expect(await list()).toContain(
    "Hook(TurnStart) date .agent/hook.toml not trusted yet, so it does not run: tenterhook trust",
  );
  expect(await first()).toContain("✗ 1 turn program of .agent/hook.toml, not trusted yet tenterhook trust");
  await trustProject(project.cwd, project.environment);
  expect(await list()).not.toContain("not trusted");
  expect(await first()).toContain("● 1 turn program of .agent/hook.toml, for the built-in agent");
});
