import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject, shellCall } from "./support/project.ts";

describe("what an agent is told", () => {
  it("has each failure once where there is only one place to say it", async () => {
    const project = newProject({ decidesHere: true });
    const matcher = { events: ["claude:TaskCreated"] };
    await project.configure([{ name: "gone", type: "http", url: "http://127.0.0.1:1/", matcher }]);
    expect(await project.hook({ hook_event_name: "TaskCreated", task_id: "1", task_subject: "s" })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'Hook "gone" failed (missing): No server answers at http://127.0.0.1:1 (ECONNREFUSED).\n',
    });
  });

  it("has no longer reason than a model is to read, with a mark where it was cut", async () => {
    const project = newProject({ decidesHere: true });
    const { asks } = await hookServer(() => ({ decision: "block", reason: "x".repeat(60_000) }));
    await project.configure([{ name: "long", ...asks, matcher: { events: ["PreToolUse", "Stop"] } }]);
    const cut = `${"x".repeat(9999)}…`;
    const denied = JSON.parse((await project.hook(shellCall("ls"))).stdout);
    expect(denied.hookSpecificOutput.permissionDecisionReason).toBe(cut);
    const stop = await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    expect(JSON.parse(stop.stdout)).toEqual({ decision: "block", reason: cut });
  });
});
