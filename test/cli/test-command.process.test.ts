import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { watch, withCase } from "./support/test-command.ts";

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
