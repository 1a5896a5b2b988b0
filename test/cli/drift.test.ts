import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject, shellCall } from "./support/project.ts";

const rules = 'event equals "X" -> context("Never.")';
const ON_CALLS = { name: "calls", type: "inline", matcher: { events: ["PreToolUse"] }, rules };
const ON_SUMMARIES = { ...ON_CALLS, name: "summaries", matcher: { events: ["PreCompact"] } };
const SILENT = { code: 0, stdout: "", stderr: "" };
const NOTICE = {
  systemMessage:
    "The hooks need PreCompact, but Claude Code does not call Tenterhook for that. Run: tenterhook install --sync",
};

describe("a configuration that has come to need more events", () => {
  it("is told of at the next call, until it is installed", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([ON_CALLS]);
    expect((await project.run(["install", "claude"])).code).toBe(0);
    expect(await project.hook(shellCall("ls"))).toEqual(SILENT);
    await project.configure([ON_CALLS, ON_SUMMARIES]);
    expect(JSON.parse((await project.hook(shellCall("ls"))).stdout)).toEqual(NOTICE);
    await project.run(["install", "--sync"]);
    expect(await project.hook(shellCall("ls"))).toEqual(SILENT);
  });

  it("is not told of at every call", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([ON_CALLS]);
    await project.run(["install", "claude", "--user"]);
    await project.configure([ON_CALLS, ON_SUMMARIES]);
    const replies = [];
    for (let call = 0; call < 3; call += 1) replies.push(await project.hook(shellCall("ls")));
    expect(JSON.parse(replies[0]?.stdout ?? "")).toEqual(NOTICE);
    expect(replies.at(-1)).toEqual(SILENT);
  });

  it("is not told of where nobody knows by which settings we are called", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([ON_CALLS]);
    await project.run(["install", "claude", "--settings", "own.json"]);
    await project.configure([ON_CALLS, ON_SUMMARIES]);
    expect(await project.hook(shellCall("ls"))).toEqual(SILENT);
  });

  it("is not told of where a message would stand in the way of the answer", async () => {
    const project = newProject({ decidesHere: true });
    const { asks } = await hookServer(() => ({ action: "answer", answer: "/tree" }));
    const tree = { name: "tree", ...asks, matcher: { events: ["claude:WorktreeCreate"] } };
    await project.configure([tree]);
    await project.run(["install", "claude"]);
    await project.configure([tree, ON_SUMMARIES]);
    const { stdout } = await project.hook({ hook_event_name: "WorktreeCreate", name: "tree" });
    expect(stdout).toBe("/tree");
  });
});
