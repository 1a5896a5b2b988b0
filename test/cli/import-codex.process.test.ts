import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";

const GUARD = '#!/bin/sh\ngrep -q -- "--force" || exit 0\necho "Not by force." >&2\nexit 2\n';

/** A project with hooks of Codex. */
function withHooks(hooks: object): Project {
  const project = newProject();
  project.write("guard.sh", GUARD);
  project.write(".codex/hooks.json", JSON.stringify({ hooks }, undefined, 2));
  return project;
}

const command = (more: object = {}) => ({ type: "command", command: "./guard.sh", ...more });

const definitionsOf = (project: Project): readonly Readonly<Record<string, unknown>>[] =>
  parse(readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8")).hooks.definitions;

describe("import codex", () => {
  it("converts hooks with what Codex does when they fail, and names what differs", async () => {
    const project = withHooks({
      PreToolUse: [
        { matcher: "Bash", hooks: [command({ timeout: 20, statusMessage: "Looking" })] },
        { matcher: "mcp__.*", hooks: [{ type: "mcp_tool", server: "guard", tool: "judge" }] },
      ],
      SessionStart: [{ matcher: "startup|resume", hooks: [command({ async: true })] }],
      PreCompact: [{ matcher: "auto", hooks: [command({ commandWindows: "guard.ps1" })] }],
      Stop: [{ hooks: [{ type: "prompt", prompt: "Done?" }] }],
      preToolUse: [{ hooks: [command()] }],
    });
    const { code, stdout } = await project.run(["import", "codex", "--yes"]);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(code).toBe(0);
    for (const difference of [
      'Codex runs no hooks of the type "prompt"; the hook was skipped.',
      "PreToolUse is not an event of Codex".replace("P", "p"),
      'Its matcher "auto" has no equivalent on PreCompact: here it runs every time.',
      "CommandWindows has no equivalent",
      "Codex continues when a hook fails",
      "config.toml are not imported",
    ])
      expect(said.toLowerCase()).toContain(difference.toLowerCase());
    const open = { on_failure: { default: "open", untrusted: "closed" }, parallel: true };
    expect(definitionsOf(project)).toEqual([
      {
        name: "codex-pre-tool-use-1",
        description: "Looking",
        type: "command",
        command: "./guard.sh",
        payload: "native",
        matcher: { events: ["PreToolUse"], tools: ["Bash"] },
        timeout: 20,
        recheck: false,
        ...open,
      },
      {
        name: "codex-pre-tool-use-2",
        type: "mcp",
        server: "guard",
        tool: "judge",
        payload: "native",
        matcher: { events: ["PreToolUse"], tools: ["/mcp__.*/"] },
        timeout: 600,
        recheck: false,
        ...open,
      },
      {
        name: "codex-session-start-1",
        type: "command",
        command: "./guard.sh",
        payload: "native",
        matcher: { events: ["SessionStart"], sources: ["startup", "resume"] },
        timeout: 600,
        async: true,
        ...open,
      },
      {
        name: "codex-pre-compact-1",
        type: "command",
        command: "./guard.sh",
        payload: "native",
        matcher: { events: ["PreCompact"] },
        timeout: 600,
        ...open,
      },
    ]);
  });

  it("--check finds no difference, and what guarded before guards afterwards", async () => {
    const project = withHooks({ PreToolUse: [{ matcher: "Bash|Edit", hooks: [command()] }] });
    const checked = await project.run(["import", "codex", "--check", "--yes", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      different: 0,
      compared: [{ comparisons: { length: 4 } }],
    });
    await project.run(["import", "codex", "--yes", "--remove"]);
    expect(readFileSync(join(project.cwd, ".codex/hooks.json"), "utf8")).not.toContain("guard.sh");
    await trustProject(project.cwd, project.environment);
    const payload = {
      turn_id: "t",
      transcript_path: "/home/dev/.codex/sessions/rollout-1.jsonl",
      hook_event_name: "PreToolUse",
      model: "gpt",
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
    };
    expect((await project.hook(payload)).stdout).toContain('"permissionDecision":"deny"');
  });
});
