import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isAlive } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { JUDGE, processOf, program, reasonOf } from "./support/served-programs.ts";
import { servedProject, stopDaemon } from "./support/served-project.ts";

it("a persistent program stays between calls with the same variables, until its file changes or the daemon ends", async () => {
  const project = newProject();
  const file = project.write("../config/tenterhook/judge.cjs", program("first"));
  project.environment.FLAVOUR = "sweet";
  await servedProject([], { project, own: [{ ...JUDGE, command: ["node", file] }] });
  const sweet = await processOf(project);
  expect(await processOf(project)).toBe(sweet);
  project.environment.FLAVOUR = "sour";
  expect(await reasonOf(project)).toEqual(["first", "sour", expect.not.stringMatching(`^${sweet}$`)]);
  project.environment.FLAVOUR = "sweet";
  expect(await reasonOf(project)).toEqual(["first", "sweet", String(sweet)]);
  writeFileSync(file, program("second"));
  expect((await reasonOf(project))[0]).toBe("second");
  const pid = await processOf(project);
  expect(isAlive(pid)).toBe(true);
  await stopDaemon(project);
  expect(isAlive(pid)).toBe(false);
});
