import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

/** Refuses in Gemini CLI's own words. */
const GUARD = `#!/bin/sh
if grep -q -- "--force"; then echo '{"decision":"deny","reason":"Not by force."}'; fi
`;

/** A project with hooks of Gemini CLI. */
function withHooks(hooks: object): Project {
  const project = newProject();
  project.write("guard.sh", GUARD);
  project.write(".gemini/settings.json", JSON.stringify({ hooks }, undefined, 2));
  return project;
}

const command = (more: object = {}) => ({ type: "command", command: "./guard.sh", ...more });
const SHELL = { tool_name: "run_shell_command", tool_input: { command: "git push --force" } };

const definitionsOf = (project: Project): readonly Readonly<Record<string, unknown>>[] =>
  parse(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).hooks.definitions;

describe("import gemini", () => {
  it("converts hooks, refuses those it would open, and names what differs", async () => {
    const project = withHooks({
      BeforeTool: [
        {
          matcher: "run_shell_command|write_file",
          hooks: [command({ name: "force", description: "No force", timeout: 5000, env: { LEVEL: "2" } })],
        },
        { matcher: "mcp_github_.*", hooks: [command({ command: "./guard.sh $GEMINI_API_KEY" })] },
        { matcher: "(?=x)y", hooks: [command()] },
      ],
      SessionStart: [{ matcher: "startup", hooks: [command()] }],
      PreCompress: [{ matcher: "auto", hooks: [command({ color: "red" })] }],
      AfterAgent: [{ sequential: true, hooks: [command()] }],
      BeforeModel: [{ hooks: [command()] }],
      Stop: [{ hooks: [command()] }],
      AfterTool: [{ hooks: [{ type: "http", url: "https://example.com" }] }],
    });
    const { code, stdout } = await project.run(["import", "gemini", "--yes"]);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(code).toBe(0);
    for (const difference of [
      "Its matcher can match tools of MCP servers, which have other names here: it runs for all of them.",
      'Its matcher "(?=x)y" can\'t be used here: it runs for every tool.',
      'Its matcher "auto" has no equivalent on PreCompress: here it runs every time.',
      "Color has no equivalent and was skipped.",
      "Its replies on BeforeModel can't be passed on: the hook was not imported and stays in Gemini CLI.",
      "Stop is not an event of Gemini CLI, which ignores unknown ones; the hook was skipped.",
      'Gemini CLI runs no hooks of the type "http"; the hook was skipped.',
      "It gets GEMINI_API_KEY, which it uses",
      "Gemini CLI continues when a hook fails",
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
    expect(definitionsOf(project)).toEqual([
      {
        ...common,
        name: "gemini-before-tool-1",
        description: "No force",
        matcher: { events: ["PreToolUse"], tools: ["/run_shell_command|write_file/"] },
        timeout: 5,
        set_env: { LEVEL: "2" },
        recheck: false,
      },
      {
        ...common,
        name: "gemini-before-tool-2",
        command: "./guard.sh $GEMINI_API_KEY",
        matcher: { events: ["PreToolUse"], tools: ["/mcp_github_.*/", "mcp__*"] },
        env: ["GEMINI_API_KEY"],
        recheck: false,
      },
      { ...common, name: "gemini-before-tool-3", matcher: { events: ["PreToolUse"] }, recheck: false },
      {
        ...common,
        name: "gemini-session-start-1",
        matcher: { events: ["SessionStart"], sources: ["startup"] },
      },
      { ...common, name: "gemini-pre-compress-1", matcher: { events: ["PreCompact"] } },
      { ...common, name: "gemini-after-agent-1", matcher: { events: ["Stop"] }, parallel: false },
    ]);
  });

  it("--check finds no difference, and what guarded before guards afterwards", async () => {
    const project = withHooks({
      BeforeTool: [{ matcher: "run_shell|replace", hooks: [command()] }],
      BeforeAgent: [{ hooks: [command({ command: "echo no >&2; exit 3" })] }],
      AfterAgent: [{ hooks: [command({ command: `echo '{"decision":"block","reason":"More."}'` })] }],
    });
    const checked = await project.run(["import", "gemini", "--check", "--yes", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ different: 0, compared: { length: 3 } });
    expect(checked.stdout).toContain('"verdict": "deny"');
    await project.run(["import", "gemini", "--yes", "--remove"]);
    expect(readFileSync(join(project.cwd, ".gemini/settings.json"), "utf8")).not.toContain("guard.sh");
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.hook({ hook_event_name: "BeforeTool", ...SHELL });
    expect(JSON.parse(stdout)).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("Not by force."),
    });
  });
});
