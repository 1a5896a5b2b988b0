import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newProject, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

describe("what an agent is told", () => {
  it("is refused by the exit code where the verdict would not stand alone, or can't be written", async () => {
    const project = newProject({ cached: true });
    const rule = { field: "command", operator: "contains", value: "push", action: "deny", reason: "No." };
    await project.configure([
      { name: "no-push", type: "inline", matcher: { events: ["PreToolUse"] }, inline_rules: [rule] },
    ]);
    const readOnly = openSync(project.write("read-only", ""), "r");
    const payload = { session_id: "s1", cwd: project.cwd, tool_use_id: "t1", ...shellCall("git push") };
    const { status, stderr } = spawnSync(process.execPath, [CLI, "hook"], {
      input: JSON.stringify(payload),
      stdio: ["pipe", readOnly, "pipe"],
      env: project.environment,
      encoding: "utf8",
    });
    closeSync(readOnly);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('"No."') });
    const noisy = project.write("noisy.cjs", 'console.log("[settings] 3 variables");');
    project.environment.NODE_OPTIONS = `--require ${noisy}`;
    const spoilt = await project.hook(shellCall("git push"));
    expect(spoilt).toEqual({
      code: 2,
      stdout: "[settings] 3 variables\n",
      stderr: expect.stringContaining("NODE_OPTIONS"),
    });
    expect((await project.hook(shellCall("ls"))).code).toBe(0);
  });
});
