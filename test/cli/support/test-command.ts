import { spawn } from "node:child_process";
import { endAfterTest } from "../../support/processes.ts";
import { newProject, type Project } from "./project.ts";
import { CLI } from "./run-cli.ts";

export function withCase(expected: string, end = "exit 2"): Project {
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
export function watch({ cwd, environment: env }: Project) {
  const child = spawn(CLI, ["test", "--watch", "--run"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  endAfterTest(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += String(part)));
  return { child, shown: () => text };
}
