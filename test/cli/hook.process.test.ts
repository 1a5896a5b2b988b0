import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { eventually, processesWith } from "../support/processes.ts";
import { newProject, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const DENIES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  inline_rules: [
    { field: "command", operator: "contains", value: "git push", action: "deny", reason: "Not from here." },
    { field: "command", operator: "matches", value: "rm\\s+-rf", action: "deny", reason: "Not all of it." },
  ],
};

describe("tenterhook hook", () => {
  it("writes a long reply whole, however slowly it is read", async () => {
    const project = newProject({ cached: true });
    const rules = 'tool equals "Write" -> set(args.file_path, "/elsewhere")';
    await project.configure([{ name: "move", type: "inline", matcher: { events: ["PreToolUse"] }, rules }]);
    const content = "x".repeat(3_000_000);
    const { stdout } = await project.hook({
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/here", content },
    });
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput).toEqual({ file_path: "/elsewhere", content });
  });

  it("does not wait for a hook beside the event, which is written down when it ends", async () => {
    const project = newProject({ cached: true });
    project.write("later.sh", '#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\necho "{}"\n');
    const hook = { name: "later", type: "command", script: "later.sh", async: true };
    await project.configure([{ ...hook, matcher: { events: ["PreToolUse"], tools: ["Bash"] } }]);
    expect((await project.hook(shellCall("ls"))).stdout).toBe("");
    const [begun] = project.journal();
    expect(begun).toMatchObject({
      type: "decision",
      runs: [{ name: "tenterhook:self-protection" }, { name: "later", async: true }],
    });
    project.write("go", "");
    await eventually(() =>
      expect(project.journal()[1]).toMatchObject({
        type: "run",
        event_id: begun?.event_id,
        runs: [{ name: "later", async: true, exit_code: 0 }],
      }),
    );
    // It may still keep compiled code.
    await eventually(() => expect(processesWith(project.folder)).toEqual([]));
  });

  it("ends what hooks started when the agent ends it first, and refuses", async () => {
    const project = newProject();
    project.write("hang.sh", "#!/bin/sh\ntouch begun\nsleep 600 &\nwait\n");
    const hook = { name: "hang", type: "command", script: "hang.sh", matcher: { events: ["PreToolUse"] } };
    await project.configure([hook]);
    await project.readConfig(shellCall("ls"));
    const { cwd, environment, folder } = project;
    const child = spawn(process.execPath, [CLI, "hook"], { cwd, env: environment });
    child.stdin.end(JSON.stringify({ session_id: "s1", cwd, ...shellCall("ls") }));
    const output = text(child.stdout);
    await eventually(() => expect(existsSync(join(cwd, "begun"))).toBe(true));
    child.kill("SIGTERM");
    expect(await output).toContain('"permissionDecision":"deny"');
    await eventually(() => expect(processesWith(folder)).toEqual([]));
  });

  it("refuses a payload that is too long or no payload at all", async () => {
    const project = newProject();
    await project.configure([DENIES]);
    expect(await project.start(["hook"], "[1]")).toEqual({
      code: 2,
      stdout: "",
      stderr: "tenterhook could not decide: The payload is not an object.\n",
    });
    const { code, stderr } = await project.start(["hook"], "x".repeat(64_000_001));
    expect([code, stderr]).toEqual([
      2,
      "tenterhook could not read the event: it has more than 64000000 bytes.\n",
    ]);
  });
});
