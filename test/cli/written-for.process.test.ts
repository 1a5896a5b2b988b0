import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../repository/support/files.ts";
import { needs } from "../support/needs.ts";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

const fixture = (path: string) => JSON.parse(readFileSync(join(ROOT, "test/fixtures", path), "utf8"));

/** A project with this hook of Claude Code, imported. */
async function imported(event: string, script: string, matcher?: string): Promise<Project> {
  if (script.includes("jq")) needs("jq");
  const project = newProject({ decidesHere: true });
  project.write("hook.sh", `#!/bin/sh\n${script}\n`);
  const hooks = { [event]: [{ matcher, hooks: [{ type: "command", command: "./hook.sh" }] }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
  await project.run(["import", "claude", "--yes", "--remove"]);
  await trustProject(project.cwd, project.environment);
  return project;
}

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
 keep
-old
+new
*** Add File: b.md
+hello
*** Delete File: c.md
*** End Patch
`;
const patch = (event: string, project: Project) => ({
  ...fixture(`codex/${event}.apply_patch.json`),
  cwd: project.cwd,
  tool_input: { command: PATCH },
});

describe("a hook that was imported from Claude Code", () => {
  it("formats each file of a patch of Codex", async () => {
    const project = await imported("PostToolUse", "jq -r .tool_input.file_path >> formatted", "Edit|Write");
    await project.hook(patch("PostToolUse", project));
    const files = ["src/a.ts", "b.md", "c.md"].map((name) => `${join(project.cwd, name)}\n`);
    expect(readFileSync(join(project.cwd, "formatted"), "utf8")).toBe(files.join(""));
  });

  it.each([
    ["a path", "jq -e '.tool_input.file_path | endswith(\"/b.md\")'"],
    ["new content", "jq -e '.tool_input.content == \"hello\\n\"'"],
    ["an edit", `jq -e '.tool_name == "Edit" and .tool_input.old_string == "keep\\nold\\n"'`],
  ])("refuses a patch of Codex by %s in it", async (_what, test) => {
    const project = await imported(
      "PreToolUse",
      `${test} >/dev/null && echo No. >&2 && exit 2; exit 0`,
      "Edit|Write",
    );
    const { stdout } = await project.hook(patch("PreToolUse", project));
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });

  it.each([
    ["Gemini CLI", "gemini/BeforeAgent.json"],
    ["Codex", "codex/UserPromptSubmit.json"],
  ])("tells the model of %s what it prints about a prompt", async (_agent, path) => {
    const project = await imported("UserPromptSubmit", "jq -r '\"Asked: \" + .prompt'");
    const payload = { ...fixture(path), cwd: project.cwd };
    const { stdout } = await project.hook(payload);
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain(`Asked: ${payload.prompt}`);
  });

  it.each([
    [
      "Gemini CLI",
      (cwd: string) => ({
        ...fixture("gemini/BeforeTool.json"),
        cwd,
        tool_name: "run_shell_command",
        tool_input: { command: "rm -rf x" },
      }),
      { decision: "deny" },
    ],
    [
      "Cursor",
      (cwd: string) => ({
        conversation_id: "c",
        cursor_version: "1",
        hook_event_name: "preToolUse",
        tool_name: "Shell",
        tool_input: { command: "rm -rf x" },
        workspace_roots: [cwd],
      }),
      { permission: "deny" },
    ],
  ])("refuses a command of %s in Claude Code's words", async (_agent, payload, reply) => {
    const project = await imported(
      "PreToolUse",
      `jq -e '.hook_event_name == "PreToolUse" and .tool_name == "Bash" and .tool_input.command == "rm -rf x"' >/dev/null && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Not here."}}'`,
      "Bash",
    );
    const { stdout } = await project.hook(payload(project.cwd));
    expect(JSON.parse(stdout)).toMatchObject(reply);
    expect(stdout).toContain("Not here.");
  });
});

describe("a hook on an event that only Cursor has", () => {
  it("is named by import, install and doctor, for each agent that never asks it", async () => {
    const project = newProject({ decidesHere: true });
    project.write("guard.sh", `#!/bin/sh\necho '{"permission":"deny"}'\n`);
    project.write(
      ".cursor/hooks.json",
      JSON.stringify({ version: 1, hooks: { beforeShellExecution: [{ command: "./guard.sh" }] } }),
    );
    const said = async (args: readonly string[]) => (await project.run(args)).stdout.replaceAll(/\s+/g, " ");
    expect(await said(["import", "cursor", "--yes", "--remove"])).toContain(
      "Only Cursor has beforeShellExecution, so no other agent asks this hook.",
    );
    await trustProject(project.cwd, project.environment);
    const expected = /guard does not run in Claude Code, which never sends cursor:beforeShellExecution\./;
    expect(await said(["install", "claude"])).toMatch(expected);
    expect(await said(["doctor"])).toMatch(expected);
    expect(await said(["install", "cursor"])).not.toMatch(/does not run in/);
  });
});
