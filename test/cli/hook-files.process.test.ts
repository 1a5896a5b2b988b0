import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chosen } from "../support/long.ts";
import { HOOKS, hookFiles, hookOf, MATCHER } from "./support/hook-files.ts";
import { newProject, shellCall } from "./support/project.ts";

describe("the files of tenterhook hook", () => {
  it.each(chosen(["command", "http", "module"], Object.keys(HOOKS)))(
    "a %s hook needs none of the package's modules",
    async (type) => {
      const project = newProject();
      await project.configure([{ name: "guard", matcher: MATCHER, ...(await HOOKS[type]?.(project)) }]);
      // The configuration's files are read by modules; then it is cached.
      await project.readConfig(shellCall("git push"));
      const { stdout } = await hookOf(hookFiles(project), project, "t2");
      expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Not from here.",
      });
    },
  );

  it("a script that changes while the event is decided is not run", async () => {
    const project = newProject({ cached: true });
    project.write("guard.sh", "exit 0\n");
    const command = `[ "$TENTERHOOK_COMMAND" = ls ] || echo 'exit 0 ' > guard.sh`;
    await project.configure([
      { name: "first", type: "command", command, matcher: MATCHER },
      { name: "second", type: "command", script: "guard.sh", matcher: MATCHER, priority: 900 },
    ]);
    expect((await project.hook(shellCall("ls"))).stdout).toBe("");
    const { stdout } = await hookOf(hookFiles(project), project, "t2");
    expect(stdout).toContain('"permissionDecision":"deny"');
    expect(stdout).toContain("guard.sh has changed since it was trusted.");
  });

  it.each(["list", "hook --serve"])("`tenterhook %s` without its files says so in one line", (args) => {
    const project = newProject();
    const program = join(hookFiles(project), "tenterhook.cjs");
    const { cwd, environment: env } = project;
    const { status, stderr } = spawnSync(process.execPath, [program, ...args.split(" ")], {
      cwd,
      env,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^tenterhook could not start: ENOENT: .*\. Install it again\.\n$/);
    expect(status).toBe(1);
  });
});
