import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { watch, withCase } from "./support/test-command.ts";

it("--watch tries a file again that is saved while its cases are tried", async () => {
  const project = withCase("Lint first.", "while ! [ -e go ]; do sleep 0.05; done; exit 2");
  await project.run(["trust", "--yes"]);
  const { shown } = watch(project);
  await eventually(() => expect(existsSync(join(project.cwd, "ran"))).toBe(true));
  project.write(".tenterhook/tests/lint.yaml", "cases:\n  - bash: ls\n    expect: { action: deny }\n");
  project.write("go", "");
  await eventually(() => expect(shown()).toContain("0 passed, 1 failed"));
  expect(shown()).toContain("1 passed");
});
