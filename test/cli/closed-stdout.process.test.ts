import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { newProject, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

it("a hook whose stdout is closed refuses: nobody could read its verdict", async () => {
  const { cwd, environment, configure } = newProject();
  await configure([
    {
      name: "no-push",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command contains "git push" -> deny("No.")',
    },
  ]);
  const payload = JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("git push") });
  const line = 'printf %s "$2" | "$1" hook >&-; echo $?';
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", ["-c", line, "sh", CLI, payload], {
    cwd,
    env: environment,
  });
  expect([stdout, stderr]).toEqual(["2\n", "tenterhook can't decide: its stdout is closed.\n"]);
});
