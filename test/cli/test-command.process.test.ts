import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const LIMIT = { timeout: 60_000 };

function withCase(expected: string): Project {
  const project = newProject();
  project.write(
    ".tenterhook/hooks.yaml",
    `hooks:
  definitions:
    - name: lint
      type: command
      command: touch ran; echo 'Lint first.' >&2; exit 2
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

it("a hook that is a program is asked with --run, when somebody has trusted it", LIMIT, async () => {
  const project = withCase("Lint first.");
  const untrusted = await project.run(["test", "--run"]);
  expect([untrusted.code, untrusted.stdout]).toEqual([0, expect.stringContaining("1 not evaluated")]);
  expect(existsSync(join(project.cwd, "ran"))).toBe(false);
  await project.run(["trust", "--yes"]);
  const trusted = await project.run(["test", "--run"]);
  expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining("1 passed")]);
  expect(existsSync(join(project.cwd, "ran"))).toBe(true);
});

it("--watch tries again after every change, also after a file that could not be read", LIMIT, async () => {
  const project = withCase("Lint first.");
  await project.run(["trust", "--yes"]);
  const { cwd, environment: env } = project;
  const child = spawn(CLI, ["test", "--watch", "--run"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (shown += String(part)));
  const rounds = (): number => shown.split("Waiting for changes").length - 1;
  const next = async (text: string): Promise<void> => {
    const before = rounds();
    project.write(".tenterhook/tests/lint.yaml", text);
    await eventually(() => expect(rounds()).toBeGreaterThan(before));
  };
  await eventually(() => expect(shown).toMatch(/1 passed[\s\S]*Waiting for changes/));
  await next("cases: 7\n");
  expect(shown).toContain("lint.yaml:1");
  await next("cases:\n  - bash: ls\n    expect: { action: deny }\n");
  await eventually(() => expect(shown).toContain("0 passed, 1 failed"));
  child.kill("SIGINT");
  await eventually(() => expect(child.exitCode).not.toBeNull());
});
