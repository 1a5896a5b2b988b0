import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { asNpxUnpacks, PLAIN_PATH } from "../../support/as-npx.ts";
import { newProject } from "./project.ts";

/** A project of somebody who has nothing but npx, and what they run there. */
export async function npxProject() {
  const project = newProject();
  await project.configure([], { use: ["safe-shell"] });
  const npxProgram = await asNpxUnpacks(join(project.folder, "home"), onTestFinished);
  const run = (program: string, args: readonly string[], { path = PLAIN_PATH, input = "" } = {}) => {
    const env = { ...project.environment, PATH: path };
    const options = { cwd: project.cwd, env, input, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    return { status, stdout, stderr };
  };
  const kept = join(project.folder, "state/tenterhook/program");
  return { project, kept, npxProgram, run, npx: (...args: readonly string[]) => run(npxProgram, args) };
}
