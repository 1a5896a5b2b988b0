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

/** `tenterhook test --watch --run`, which ends with the test at the latest. */
function watch({ cwd, environment: env }: Project) {
  const child = spawn(CLI, ["test", "--watch", "--run"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  endAfterTest(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)));
  return { child, shown: () => text };
}

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
