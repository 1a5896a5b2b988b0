import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Call, HOLD, HOLD_NOT } from "../../adapters/claude/import/conditions.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const TOOLS = ["Bash", "Write", "Edit", "Read"];
const rows = [
  ...HOLD.map((row) => [...row, true] as const),
  ...HOLD_NOT.map((row) => [...row, false] as const),
]
  // It checks that files are there, and asks for others, before it runs hooks.
  .filter(
    ([, [tool, { file_path }]]) => TOOLS.includes(tool) && !/^\/(?:etc|else|tmp)/.test(String(file_path)),
  )
  // A condition holds for what it can't read, and Claude Code can read less than we do.
  .filter(([, [, { command }]]) => !String(command).startsWith("eval"));

it("holds the conditions of hooks for the calls of the table", async () => {
  const project = clientProject();
  const inProject = ([tool, { file_path, ...input }]: Call): Call =>
    file_path === undefined
      ? [tool, { ...input, description: "Run it" }]
      : [tool, { ...OTHER_INPUT[tool], file_path: String(file_path).replace(/^\/project/, project.cwd) }];
  const hooks = rows.map(([condition, [tool]], at) => ({
    matcher: tool,
    hooks: [
      { type: "command", if: condition, command: `jq -c .tool_input >> "$CLAUDE_PROJECT_DIR/asked-${at}"` },
    ],
  }));
  const refuse = { hooks: [{ type: "command", command: "exit 2" }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [...hooks, refuse] } }));
  for (const path of ["src/d/a.ts", "src/a.ts", "lib/b.ts", "pkg/src/a.ts", "d/x.env", ".env", "a"])
    project.write(path, "x\n");
  const calls = rows.map(([, call]) => inProject(call));
  await runClaude({ project, script: calls.map((call) => [call]) });
  const isAsked = (at: number, [, { command, file_path }]: Call): boolean => {
    const log = join(project.cwd, `asked-${at}`);
    const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    return lines.some((line) => {
      const input = JSON.parse(line);
      return input.command === command && input.file_path === file_path;
    });
  };
  const seen = rows.map(([condition, call], at) => [condition, call, isAsked(at, calls[at] ?? call)]);
  expect(seen).toEqual(rows);
});

const OTHER_INPUT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Write: { content: "x" },
  Edit: { old_string: "x", new_string: "y" },
};
