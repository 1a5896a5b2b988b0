import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

const GUARD = `#!/bin/sh
if grep -q -- "--force"; then echo '{"decision":"deny","reason":"Not by force."}' >&2; fi
`;

/** A project with hooks of Qwen Code. */
function withHooks(hooks: object): Project {
  const project = newProject();
  project.write("guard.sh", GUARD);
  project.write(".qwen/settings.json", JSON.stringify({ hooks }, undefined, 2));
  return project;
}

const command = (more: object = {}) => ({ type: "command", command: "./guard.sh", ...more });

const definitionsOf = (project: Project): readonly Readonly<Record<string, unknown>>[] =>
  parse(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).hooks.definitions;

describe("import qwen", () => {
  it("converts hooks, refuses those it would open, and names what differs", async () => {
    const project = withHooks({
      PreToolUse: [
        { matcher: "Bash|write_file", hooks: [command({ timeout: 5000 }), command({ timeout: "20" })] },
        { matcher: "^run_", hooks: [{ type: "http", url: "https://example.com/judge" }] },
        { matcher: "[", hooks: [command()] },
        { hooks: [{ type: "prompt", prompt: "Is it safe?" }] },
      ],
      UserPromptSubmit: [{ hooks: [command({ async: true })] }],
      PostToolUse: [{ sequential: true, hooks: [command()] }],
      TodoCreated: [{ hooks: [command()] }],
      BeforeTool: [{ hooks: [command()] }],
    });
    const { code, stdout } = await project.run(["import", "qwen", "--yes"]);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(code).toBe(0);
    for (const difference of [
      'Its matcher "[" is no regular expression, so that Qwen Code never ran it; the hook was skipped.',
      'Hooks of the type "prompt" can\'t be imported: the hook stays in Qwen Code.',
      "Qwen Code also runs it before requests with results of tools; here it runs for prompts only.",
      "A refusal does nothing there; here the model reads its reason in place of the result.",
      "Its replies on TodoCreated can't be passed on: the hook was not imported and stays in Qwen Code.",
      "BeforeTool is not an event of Qwen Code, which ignores unknown ones; the hook was skipped.",
      "Qwen Code continues when a hook fails",
      "Qwen Code ignores updatedInput before a call",
    ])
      expect(said).toContain(difference);
    const common = {
      type: "command",
      command: "./guard.sh",
      payload: "native",
      timeout: 60,
      on_failure: { default: "open", untrusted: "closed" },
      parallel: true,
    };
    const { type: _type, command: _command, ...served } = common;
    const shell = { events: ["PreToolUse"], tools: ["Bash", "write_file"] };
    expect(definitionsOf(project)).toEqual([
      { ...common, name: "qwen-pre-tool-use-1", matcher: shell, timeout: 5, recheck: false },
      { ...common, name: "qwen-pre-tool-use-2", matcher: shell, timeout: 20, recheck: false },
      {
        ...served,
        type: "http",
        url: "https://example.com/judge",
        name: "qwen-pre-tool-use-3",
        matcher: { events: ["PreToolUse"], tools: ["/^run_/"] },
        recheck: false,
      },
      {
        ...common,
        name: "qwen-user-prompt-submit-1",
        matcher: { events: ["UserPromptSubmit"] },
        async: true,
      },
      { ...common, name: "qwen-post-tool-use-1", matcher: { events: ["PostToolUse"] }, parallel: false },
    ]);
  });

  it("--check finds no difference, and what guarded before guards afterwards", async () => {
    const project = withHooks({
      PreToolUse: [{ matcher: "Bash", hooks: [command()] }],
      Stop: [{ hooks: [command({ command: "echo More. >&2; exit 2" })] }],
    });
    const checked = await project.run(["import", "qwen", "--check", "--yes", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ different: 0, compared: { length: 2 } });
    expect(checked.stdout).toContain('"verdict": "deny"');
    await project.run(["import", "qwen", "--yes", "--remove"]);
    expect(readFileSync(join(project.cwd, ".qwen/settings.json"), "utf8")).not.toContain("guard.sh");
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.hook({
      hook_event_name: "PreToolUse",
      transcript_path: "/home/dev/.qwen/projects/p/chats/1.jsonl",
      tool_name: "run_shell_command",
      tool_input: { command: "git push --force" },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
      stopReason: expect.stringContaining("Not by force."),
    });
  });
});
