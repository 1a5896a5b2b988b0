import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endAfterTest, eventually } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

function withCase(expected: string, end = "exit 2"): Project {
  const project = newProject();
  project.write(
    ".tenterhook/hooks.yaml",
    `hooks:
  definitions:
    - name: lint
      type: command
      command: touch ran; echo 'Lint first.' >&2; ${end}
      matcher: { events: [PreToolUse], tools: Write }
`,
  );
  project.write(
    ".tenterhook/tests/lint.yaml",
    `cases:
  - event: { tool_name: Write, tool_input: { file_path: a.ts, content: x } }
    expect: { action: deny, reason: ${expected} }
`,
  );
  return project;
}

it("a hook that is a program is asked with --run, when somebody has trusted it", async () => {
  const project = withCase("Lint first.");
  const untrusted = await project.run(["test", "--run"]);
  expect([untrusted.code, untrusted.stdout]).toEqual([1, expect.stringContaining("1 not evaluated")]);
  expect(existsSync(join(project.cwd, "ran"))).toBe(false);
  await project.run(["trust", "--yes"]);
  const trusted = await project.run(["test", "--run"]);
  expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining("1 passed")]);
  expect(existsSync(join(project.cwd, "ran"))).toBe(true);
});

/** `tenterhook test --watch --run`, which ends with the test at the latest. */
function watch({ cwd, environment: env }: Project) {
  const child = spawn(CLI, ["test", "--watch", "--run"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  endAfterTest(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)));
  return { child, shown: () => text };
}

it("--watch tries again after every change, also after a file that could not be read", async () => {
  const project = withCase("Lint first.");
  await project.run(["trust", "--yes"]);
  const { child, shown } = watch(project);
  const write = (text: string) => project.write(".tenterhook/tests/lint.yaml", text);
  await eventually(() => expect(shown()).toMatch(/1 passed[\s\S]*Waiting for changes/));
  write("cases: 7\n");
  await eventually(() => expect(shown()).toMatch(/lint\.yaml:1[\s\S]*Waiting for changes/));
  write("cases:\n  - bash: ls\n    expect: { action: deny }\n");
  await eventually(() => expect(shown()).toMatch(/0 passed, 1 failed[\s\S]*Waiting for changes/));
  child.kill("SIGINT");
  await eventually(() => expect(child.exitCode).not.toBeNull());
});
