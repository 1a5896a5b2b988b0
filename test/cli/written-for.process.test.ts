import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject } from "./support/project.ts";
import { fixture, imported, patch } from "./support/written-for.ts";

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
    expect(await said(["install", "claude", "-v"])).toMatch(expected);
    expect(await said(["doctor"])).toMatch(expected);
    expect(await said(["install", "cursor", "-v"])).not.toMatch(/does not run in/);
  });
});
