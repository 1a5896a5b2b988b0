import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { hookAgain } from "./support/hook-again.ts";
import { newProject, type Project, type ProjectOptions, shellCall } from "./support/project.ts";

const COUNTS = "#!/bin/sh\necho ran >> ran\necho 'Not twice.' >&2\nexit 2\n";
const WAITS = "#!/bin/sh\necho ran >> ran\nwhile [ ! -e go ]; do sleep 0.05; done\nexit 0\n";

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
  it("is answered as the first time, without asking hooks again or writing it down again", async () => {
    const project = await counting(COUNTS, ["PreToolUse"], PROGRAM);
    const first = await project.hook(shellCall("ls"));
    const second = await hookAgain(project, shellCall("ls"));
    expect(first.stdout).toContain("Not twice.");
    expect(second).toEqual(first);
    expect([timesRun(project), project.journal().length]).toEqual([1, 1]);
  });

  it("waits for the first while that is decided", async () => {
    const project = await counting(WAITS, ["PreToolUse"], PROGRAM);
    const mark = `require("node:fs").writeFileSync(${JSON.stringify(project.folder)} + "/began-" + process.pid, "");`;
    project.environment.NODE_OPTIONS = `--require=${project.write("../mark.cjs", mark)}`;
    const calls = [project.hook(shellCall("ls")), project.hook(shellCall("ls"))];
    await eventually(() => expect(timesRun(project)).toBe(1));
    await eventually(() =>
      expect(readdirSync(project.folder).filter((name) => name.startsWith("began-"))).toHaveLength(2),
    );
    project.write("go", "");
    expect(await Promise.all(calls)).toEqual(new Array(2).fill({ code: 0, stdout: "", stderr: "" }));
    expect(timesRun(project)).toBe(1);
  });

  it("waits for no process that only has the id of one that was killed", async () => {
    const project = await counting(COUNTS, ["PreToolUse"], PROGRAM);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const claim = join(folder, readdirSync(folder)[0] ?? "");
    const [head = ""] = readFileSync(claim, "utf8").split("\n");
    writeFileSync(claim, `${JSON.stringify({ ...JSON.parse(head), pid: process.pid })}\n`);
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not twice.");
    expect(timesRun(project)).toBe(2);
  });
});
