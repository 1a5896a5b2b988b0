import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookAgain } from "./support/hook-again.ts";
import { newProject, type Project, type ProjectOptions, shellCall } from "./support/project.ts";

const COUNTS = "#!/bin/sh\necho ran >> ran\necho 'Not twice.' >&2\nexit 2\n";
/** For what concerns the processes of the two calls; all else is decided in this one. */
const PROGRAM: ProjectOptions = { cached: true };

async function counting(
  script: string,
  events: readonly string[],
  options: ProjectOptions = { decidesHere: true },
): Promise<Project> {
  const project = newProject(options);
  project.write("count.sh", script);
  await project.configure([{ name: "count", type: "command", script: "count.sh", matcher: { events } }]);
  return project;
}

const timesRun = ({ cwd }: Project): number => {
  const file = join(cwd, "ran");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
};

describe("a call that an agent makes twice", () => {
  it("is answered as the first time however slowly its process starts", async () => {
    const project = await counting(COUNTS, ["PreToolUse"], PROGRAM);
    const first = await project.hook(shellCall("ls"));
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);";
    project.environment.NODE_OPTIONS = `--require=${project.write("../slow.cjs", wait)}`;
    await project.readConfig(shellCall("ls"));
    expect(await hookAgain(project, shellCall("ls"))).toEqual(first);
    expect([timesRun(project), project.journal().length]).toEqual([1, 1]);
  });
});
