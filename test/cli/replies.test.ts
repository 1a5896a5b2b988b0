import { describe, expect, it } from "vitest";
import { newProject, shellCall } from "./support/project.ts";

describe("what an agent is told", () => {
  it("has each failure once where there is only one place to say it", async () => {
    const project = newProject();
    const matcher = { events: ["claude:TaskCreated"] };
    await project.configure([{ name: "crash", type: "command", command: "exit 1", matcher }]);
    expect(await project.hook({ hook_event_name: "TaskCreated", task_id: "1", task_subject: "s" })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'Hook "crash" failed (error): Exit code 1\n',
    });
  }, 60_000);

  it("has no longer reason than a model is to read, with a mark where it was cut", async () => {
    const project = newProject();
    project.write(
      "long.mjs",
      'console.log(JSON.stringify({ decision: "block", reason: "x".repeat(60_000) }));\n',
    );
    const long = { name: "long", type: "command", command: "node long.mjs" };
    await project.configure([{ ...long, matcher: { events: ["PreToolUse", "Stop"] } }]);
    const cut = `${"x".repeat(9999)}…`;
    const denied = JSON.parse((await project.hook(shellCall("ls"))).stdout);
    expect(denied.hookSpecificOutput.permissionDecisionReason).toBe(cut);
    const stop = await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    expect(JSON.parse(stop.stdout)).toEqual({ decision: "block", reason: cut });
  }, 60_000);
});
