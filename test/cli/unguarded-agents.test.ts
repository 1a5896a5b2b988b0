import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { UNGUARDED_AGENTS } from "../../src/adapters/unguarded-agents.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { newProject } from "./support/project.ts";

const GUARD = rulesHook("guard", 'command contains "x" -> deny("No.")');

describe.each(UNGUARDED_AGENTS)(
  "$title, which nobody could run with our hooks",
  ({ name, title, program, folder }) => {
    const says = `${title} is on this machine and not guarded: nobody could run it with Tenterhook's hooks.`;

    it.each(["program", "folder"])("is said to be there and not guarded, by its %s", async (what) => {
      const project = newProject();
      await project.configure([GUARD]);
      await projectDaemon(project);
      if (what === "folder") mkdirSync(join(project.folder, "home", folder), { recursive: true });
      else project.environment.PATH = dirname(project.write(`../bin/${program}`, "#!/bin/sh\n"));
      const said = async (...args: string[]) => {
        const { stdout } = await project.run(args);
        return stdout.replaceAll(/\s+/g, " ");
      };
      expect(await said("doctor")).toContain(`! ${name} ${says}`);
      expect(await said("agents")).toContain(says);
      expect(await said("install")).toContain(says);
      expect(await said()).toContain(`${title} not guarded tenterhook check`);
    });

    it("can't be installed into", async () => {
      const { code, stderr } = await newProject().run(["install", name]);
      expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
        2,
        expect.stringContaining(
          `Tenterhook does not guard ${title}: nobody could run it with our hooks, so nobody knows whether it obeys them.`,
        ),
      ]);
    });
  },
);

it("a project without hooks shows it on the first screen, too", async () => {
  const project = newProject();
  project.environment.PATH = dirname(project.write("../bin/windsurf", "#!/bin/sh\n"));
  expect((await project.run([])).stdout).toContain("Found   Windsurf, which nobody can guard");
});

it("an agent that is not here is not spoken of", async () => {
  const project = newProject();
  project.environment.PATH = project.folder;
  expect((await project.run(["doctor"])).stdout).not.toContain("not guarded");
});
