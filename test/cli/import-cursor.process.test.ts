import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

/** Refuses in Cursor's own words. */
const GUARD = `#!/bin/sh
if grep -q -- "--force"
then echo '{"permission":"deny","user_message":"Not by force."}'
else echo '{}'
fi
`;

/** A project with hooks of Cursor. */
function withHooks(hooks: object): Project {
  const project = newProject();
  project.write("guard.sh", GUARD);
  project.write(".cursor/hooks.json", JSON.stringify({ version: 1, hooks }, undefined, 2));
  return project;
}

const command = (more: object = {}) => ({ command: "./guard.sh", ...more });

const definitionsOf = (project: Project): readonly Readonly<Record<string, unknown>>[] =>
  parse(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).hooks.definitions;

describe("import cursor", () => {
  it("converts hooks, refuses those it would open, and names what differs", async () => {
    const project = withHooks({
      preToolUse: [
        command({ matcher: "Shell|Write", timeout: 5, failClosed: true }),
        command({ matcher: "MCP:.*" }),
        { type: "prompt", prompt: "Is it safe?" },
      ],
      beforeShellExecution: [command({ matcher: "git push" })],
      beforeMCPExecution: [command()],
      stop: [command({ loop_limit: 3 })],
    });
    const { code, stdout } = await project.run(["import", "cursor", "--yes"]);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(code).toBe(0);
    for (const difference of [
      "Its matcher can match tools of MCP servers, which have other names here: it runs for all of them.",
      'Hooks of the type "prompt" can\'t be imported: the hook stays in Cursor.',
      'Its matcher "git push" has no equivalent on beforeShellExecution: here it runs every time.',
      "It also gets the preToolUse of these calls.",
      "Loop_limit has no equivalent and was skipped.",
      "A hook that asks refuses",
    ])
      expect(said).toContain(difference);
    const common = {
      type: "command",
      command: "./guard.sh",
      payload: "native",
      timeout: 60,
      on_failure: { default: "open", bad_output: "closed", untrusted: "closed" },
      parallel: true,
    };
    expect(definitionsOf(project)).toEqual([
      {
        ...common,
        name: "cursor-pre-tool-use-1",
        matcher: { events: ["PreToolUse"], tools: ["/Shell|Write/"] },
        timeout: 5,
        on_failure: "closed",
        recheck: false,
      },
      {
        ...common,
        name: "cursor-pre-tool-use-2",
        matcher: { events: ["PreToolUse"], tools: ["/MCP:.*/", "mcp__*"] },
        recheck: false,
      },
      {
        ...common,
        name: "cursor-before-shell-execution-1",
        matcher: { events: ["cursor:beforeShellExecution"] },
      },
      {
        ...common,
        name: "cursor-before-mcpexecution-1",
        matcher: { events: ["PreToolUse"], tools: ["mcp__*"] },
        recheck: false,
      },
      { ...common, name: "cursor-stop-1", matcher: { events: ["Stop"] } },
    ]);
  });

  it("--check finds no difference, and what guarded before guards afterwards", async () => {
    const project = withHooks({
      preToolUse: [command({ matcher: "Shell" }), command({ command: "echo words" })],
      beforeShellExecution: [command()],
      stop: [command({ command: `echo '{"followup_message":"More."}'` })],
    });
    const checked = await project.run(["import", "cursor", "--check", "--yes", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ different: 0, compared: { length: 4 } });
    expect(checked.stdout).toContain('"verdict": "deny"');
    expect(checked.stdout).toContain('"verdict": "keeps going"');
    await project.run(["import", "cursor", "--yes", "--remove"]);
    expect(readFileSync(join(project.cwd, ".cursor/hooks.json"), "utf8")).not.toContain("guard.sh");
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.hook({
      hook_event_name: "beforeShellExecution",
      cursor_version: "1.0.0",
      conversation_id: "c1",
      workspace_roots: [project.cwd],
      command: "git push --force",
      cwd: "",
    });
    expect(JSON.parse(stdout)).toMatchObject({
      permission: "deny",
      user_message: expect.stringContaining("Not by force."),
    });
  });
});
