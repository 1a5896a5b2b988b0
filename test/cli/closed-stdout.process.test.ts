import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { chosen } from "../support/long.ts";
import { newProject, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

/** The exit code and stderr of a call that a rule denies, with the hook started by this line. */
async function refused(line: string): Promise<readonly string[]> {
  const { cwd, environment, configure } = newProject();
  await configure([rulesHook("no-push", 'command contains "git push" -> deny("No.")')]);
  const payload = JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("git push") });
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", ["-c", line, "sh", CLI, payload], {
    cwd,
    env: environment,
  });
  return [stdout, stderr];
}

describe("a hook whose verdict nobody could read refuses by its exit code", () => {
  it("when its stdout is closed", async () => {
    expect(await refused('printf %s "$2" | "$1" hook >&-; echo $?')).toEqual([
      "2\n",
      "tenterhook can't decide: its stdout is closed.\n",
    ]);
  });

  const LINES: readonly (readonly [name: string, line: string])[] = [
    ["Node is started with a closed stdout", 'printf %s "$2" | node "$1" hook >&-; echo $?'],
    ["its stdout is the null device", 'printf %s "$2" | "$1" hook > /dev/null; echo $?'],
    ["Node is started with the null device", 'printf %s "$2" | node "$1" hook > /dev/null; echo $?'],
  ];

  it.each(chosen(LINES.slice(1, 2), LINES))("when %s", async (_name, line) => {
    const [code, stderr] = await refused(line);
    expect(code).toBe("2\n");
    expect(stderr).toMatch(/could not write its decision: its stdout is closed, or leads to the null device/);
  });
});
