import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { hookAgain, justDecided } from "./support/hook-again.ts";
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

  it("is answered as the first time however slowly its process starts", async () => {
    const project = await counting(COUNTS, ["PreToolUse"], PROGRAM);
    const first = await project.hook(shellCall("ls"));
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);";
    project.environment.NODE_OPTIONS = `--require=${project.write("../slow.cjs", wait)}`;
    await project.readConfig(shellCall("ls"));
    expect(await hookAgain(project, shellCall("ls"))).toEqual(first);
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

  it("is known by its payload where a call has no id", async () => {
    const project = await counting(COUNTS, ["UserPromptSubmit"]);
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go.", tool_use_id: undefined };
    const first = await project.hook(prompt);
    expect(first.stdout).toContain("Not twice.");
    expect(await hookAgain(project, prompt)).toEqual(first);
    expect((await project.hook({ ...prompt, prompt: "Go on." })).stdout).toContain("Not twice.");
    expect(timesRun(project)).toBe(2);
  });

  it.each([
    ["another input under the same id", shellCall("rm -rf /")],
    ["another id", { ...shellCall("ls"), tool_use_id: "t2" }],
    ["another session", { ...shellCall("ls"), session_id: "s2" }],
    ["another event", { ...shellCall("ls"), hook_event_name: "PostToolUse", tool_response: "" }],
  ])("is not meant by %s", async (_, other) => {
    const project = await counting(COUNTS, ["PreToolUse", "PostToolUse"]);
    await project.hook(shellCall("ls"));
    await project.hook(other);
    expect(timesRun(project)).toBe(2);
  });

  it("is decided anew when the configuration has changed meanwhile", async () => {
    const project = await counting(COUNTS, ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const rules = 'tool equals "Bash" -> deny("Not at all.")';
    await project.configure([{ name: "none", type: "inline", matcher: { events: ["PreToolUse"] }, rules }]);
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not at all.");
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

  it("leaves the claim of another event that has the same file name to its process", async () => {
    const project = await counting(COUNTS, ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const [name = ""] = readdirSync(folder);
    const [head = "", decided = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    const other = `${head}\n${JSON.stringify({ ...JSON.parse(decided), key: "another", time: justDecided() })}\n`;
    writeFileSync(join(folder, name), other);
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not twice.");
    expect(timesRun(project)).toBe(2);
    expect(readFileSync(join(folder, name), "utf8")).toBe(other);
  });

  it("is decided anew when two seconds have passed", async () => {
    const project = await counting(COUNTS, ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const [name = ""] = readdirSync(folder);
    const [head = "", stored = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    const { time, ...answer } = JSON.parse(stored);
    writeFileSync(join(folder, name), `${head}\n${JSON.stringify({ ...answer, time: time - 2100 })}\n`);
    await project.hook(shellCall("ls"));
    expect([timesRun(project), readdirSync(folder).length]).toEqual([2, 1]);
  });

  it.each<readonly [what: string, content: (mark: string) => string]>([
    ["nonsense", () => "{]\n{]\n"],
    [
      "a decision that is none",
      (mark) => `${mark}\n{"key":"","time":${Date.now()},"decision":{"action":"allow"}}\n`,
    ],
    ["a process that is gone", (mark) => `${JSON.stringify({ ...JSON.parse(mark), pid: 999_999_999 })}\n`],
  ])("is decided anew when what is kept is of %s", async (_, contentWith) => {
    const project = await counting(COUNTS, ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const [name = ""] = readdirSync(folder);
    const [mark = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    writeFileSync(join(folder, name), contentWith(mark));
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not twice.");
    expect(timesRun(project)).toBe(2);
  });

  it("counts a stop that follows the answer as a new one, so that the ceiling holds", async () => {
    const project = await counting("#!/bin/sh\necho ran >> ran\necho 'Not yet.' >&2\nexit 2\n", ["Stop"]);
    const stop = { hook_event_name: "Stop", stop_hook_active: true, tool_use_id: undefined };
    await project.hook(stop);
    await project.hook(stop);
    expect(timesRun(project)).toBe(2);
  });

  it("takes a question that comes again after its answer for a new one", async () => {
    const project = await counting(COUNTS, ["claude:Elicitation"]);
    const question = { hook_event_name: "Elicitation", message: "Which?", tool_use_id: undefined };
    await project.hook(question);
    await project.hook(question);
    expect(timesRun(project)).toBe(2);
  });

  it("asks a hook that is asked once no second time for it", async () => {
    const project = newProject({ decidesHere: true });
    const rules = 'tool equals "Bash" -> deny("Once.")';
    const matcher = { events: ["PreToolUse"] };
    await project.configure([{ name: "once", type: "inline", matcher, rules, once: true }]);
    const first = await project.hook(shellCall("ls"));
    expect(first.stdout).toContain("Once.");
    expect(await hookAgain(project, shellCall("ls"))).toEqual(first);
    expect((await project.hook({ ...shellCall("ls"), tool_use_id: "t2" })).stdout).toBe("");
  });
});
