import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookAgain, justDecided } from "./support/hook-again.ts";
import { hookServer } from "./support/hook-server.ts";
import { newProject, shellCall } from "./support/project.ts";

/** A project whose hook refuses, on these events. */
async function counting(reason: string, events: readonly string[]) {
  const project = newProject({ decidesHere: true });
  const asked = await hookServer(() => ({ action: "deny", reason }));
  await project.configure([{ name: "count", ...asked.asks, matcher: { events } }]);
  return { project, timesRun: () => asked.events.length };
}

describe("a call that an agent makes twice", () => {
  it("is known by its payload where a call has no id", async () => {
    const { project, timesRun } = await counting("Not twice.", ["UserPromptSubmit"]);
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go.", tool_use_id: undefined };
    const first = await project.hook(prompt);
    expect(first.stdout).toContain("Not twice.");
    expect(await hookAgain(project, prompt)).toEqual(first);
    expect((await project.hook({ ...prompt, prompt: "Go on." })).stdout).toContain("Not twice.");
    expect(timesRun()).toBe(2);
  });

  it.each([
    ["another input under the same id", shellCall("rm -rf /")],
    ["another id", { ...shellCall("ls"), tool_use_id: "t2" }],
    ["another session", { ...shellCall("ls"), session_id: "s2" }],
    ["another event", { ...shellCall("ls"), hook_event_name: "PostToolUse", tool_response: "" }],
  ])("is not meant by %s", async (_, other) => {
    const { project, timesRun } = await counting("Not twice.", ["PreToolUse", "PostToolUse"]);
    await project.hook(shellCall("ls"));
    await project.hook(other);
    expect(timesRun()).toBe(2);
  });

  it("is decided anew when the configuration has changed meanwhile", async () => {
    const { project } = await counting("Not twice.", ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const rules = 'tool equals "Bash" -> deny("Not at all.")';
    await project.configure([{ name: "none", type: "inline", matcher: { events: ["PreToolUse"] }, rules }]);
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not at all.");
  });

  it("leaves the claim of another event that has the same file name to its process", async () => {
    const { project, timesRun } = await counting("Not twice.", ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const [name = ""] = readdirSync(folder);
    const [head = "", decided = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    const other = `${head}\n${JSON.stringify({ ...JSON.parse(decided), key: "another", time: justDecided() })}\n`;
    writeFileSync(join(folder, name), other);
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not twice.");
    expect(timesRun()).toBe(2);
    expect(readFileSync(join(folder, name), "utf8")).toBe(other);
  });

  it("is decided anew when two seconds have passed", async () => {
    const { project, timesRun } = await counting("Not twice.", ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const [name = ""] = readdirSync(folder);
    const [head = "", stored = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    const { time, ...answer } = JSON.parse(stored);
    writeFileSync(join(folder, name), `${head}\n${JSON.stringify({ ...answer, time: time - 2100 })}\n`);
    await project.hook(shellCall("ls"));
    expect([timesRun(), readdirSync(folder).length]).toEqual([2, 1]);
  });

  it.each<readonly [what: string, content: (mark: string) => string]>([
    ["nonsense", () => "{]\n{]\n"],
    [
      "a decision that is none",
      (mark) => `${mark}\n{"key":"","time":${Date.now()},"decision":{"action":"allow"}}\n`,
    ],
    ["a process that is gone", (mark) => `${JSON.stringify({ ...JSON.parse(mark), pid: 999_999_999 })}\n`],
  ])("is decided anew when what is kept is of %s", async (_, contentWith) => {
    const { project, timesRun } = await counting("Not twice.", ["PreToolUse"]);
    await project.hook(shellCall("ls"));
    const folder = join(project.folder, "cache/tenterhook/claims");
    const [name = ""] = readdirSync(folder);
    const [mark = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    writeFileSync(join(folder, name), contentWith(mark));
    expect((await project.hook(shellCall("ls"))).stdout).toContain("Not twice.");
    expect(timesRun()).toBe(2);
  });

  it("counts a stop that follows the answer as a new one, so that the ceiling holds", async () => {
    const { project, timesRun } = await counting("Not yet.", ["Stop"]);
    const stop = { hook_event_name: "Stop", stop_hook_active: true, tool_use_id: undefined };
    await project.hook(stop);
    await project.hook(stop);
    expect(timesRun()).toBe(2);
  });

  it("takes a question that comes again after its answer for a new one", async () => {
    const { project, timesRun } = await counting("Not twice.", ["claude:Elicitation"]);
    const question = { hook_event_name: "Elicitation", message: "Which?", tool_use_id: undefined };
    await project.hook(question);
    await project.hook(question);
    expect(timesRun()).toBe(2);
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
