import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { notRoot } from "../support/not-here.ts";
import { newProject, shellCall } from "./support/project.ts";
import { readableProgram } from "./support/readable-program.ts";

const GUARD = rulesHook("no-push", 'command contains "git push" -> deny("Not from here.")');

// Only the superuser can start a program for somebody else.
it("a user nobody knows has gates too", async ({ skip }) => {
  skip(notRoot !== undefined, notRoot);
  const project = newProject();
  await project.configure([GUARD]);
  chmodSync(project.folder, 0o755);
  const { cwd } = project;
  const program = readableProgram(join(project.folder, "program"));
  const env = { PATH: process.env.PATH };
  const child = spawn(process.execPath, [program, "hook"], { cwd, env, uid: 54_321 });
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("git push") }));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  expect({ code, stderr, decision: JSON.parse(stdout).hookSpecificOutput.permissionDecision }).toEqual({
    code: 0,
    stderr: "",
    decision: "deny",
  });
});
