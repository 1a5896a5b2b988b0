import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../node/mcp/support.ts";
import { chosen } from "../support/long.ts";
import { needs } from "../support/needs.ts";
import { trustProject } from "../support/trust-project.ts";
import { newProject, type Project } from "./support/project.ts";
import { fixture, imported, patch } from "./support/written-for.ts";

/** A hook of each agent in its own settings: on calls of a shell, on changes of files, and how it refuses. */
const AGENTS = {
  codex: {
    file: ".codex/hooks.json",
    event: "PreToolUse",
    shell: "Bash",
    change: "apply_patch",
    seen: '.tool_name == "apply_patch" and (.tool_input.command | contains("a.txt"))',
    deny: { decision: "block", reason: "No." },
  },
  gemini: {
    file: ".gemini/settings.json",
    event: "BeforeTool",
    shell: "run_shell_command",
    change: "write_file|replace",
    seen: '.tool_name == "write_file" and (.tool_input.file_path | endswith("/a.txt"))',
    deny: { decision: "deny", reason: "No." },
  },
  qwen: {
    file: ".qwen/settings.json",
    event: "PreToolUse",
    shell: "run_shell_command",
    change: "write_file|edit",
    seen: '.tool_name == "write_file" and (.tool_input.file_path | endswith("/a.txt"))',
    deny: { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "No." } },
  },
  cursor: {
    file: ".cursor/hooks.json",
    event: "preToolUse",
    shell: "Shell",
    change: "Write",
    seen: '.tool_name == "Write" and (.tool_input.file_path | endswith("/a.txt"))',
    deny: { permission: "deny", user_message: "No." },
  },
  copilot: {
    file: ".github/hooks/guard.json",
    event: "preToolUse",
    shell: "bash",
    change: "create|edit",
    seen: '.toolName == "create" and (.toolArgs.path | endswith("/a.txt"))',
    deny: { permissionDecision: "deny", permissionDecisionReason: "No." },
  },
} as const;

type Agent = keyof typeof AGENTS;

/** A project with a hook of this agent that refuses what fits, imported. */
async function guarded(agent: Agent, matcher: string, test: string): Promise<Project> {
  needs("jq");
  const { file, event, deny } = AGENTS[agent];
  const project = newProject({ decidesHere: true });
  project.write(
    "guard.sh",
    `#!/bin/sh\njq -e '${test}' >/dev/null && echo '${JSON.stringify(deny)}'\nexit 0\n`,
  );
  const handler = { type: "command", command: "./guard.sh" };
  const isFlat = agent === "cursor" || agent === "copilot";
  const entry = isFlat ? { ...handler, matcher } : { matcher, hooks: [handler] };
  project.write(file, JSON.stringify({ ...(isFlat ? { version: 1 } : {}), hooks: { [event]: [entry] } }));
  await project.run(["import", agent, "--yes", "--remove"]);
  await trustProject(project.cwd, project.environment);
  return project;
}

const WRITERS: Readonly<Record<string, (cwd: string) => Readonly<Record<string, unknown>>>> = {
  "Claude Code": (cwd) => ({
    ...fixture("claude/PreToolUse.json"),
    cwd,
    tool_name: "Write",
    tool_input: { file_path: join(cwd, "a.txt"), content: "x" },
  }),
  Codex: (cwd) => ({
    ...fixture("codex/PreToolUse.apply_patch.json"),
    cwd,
    tool_input: { command: "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n" },
  }),
  "Gemini CLI": (cwd) => ({
    ...fixture("gemini/BeforeTool.json"),
    cwd,
    tool_name: "write_file",
    tool_input: { file_path: join(cwd, "a.txt"), content: "x" },
  }),
};

describe("a hook that was imported from Claude Code", () => {
  it("asks an MCP tool about each file of a patch of Codex", async () => {
    const project = newProject({ decidesHere: true });
    const input = { text: `{"decision":"block","reason":"\${tool_name} \${tool_input.file_path}"}` };
    const hook = { type: "mcp_tool", server: "box", tool: "reply", input };
    const hooks = { PreToolUse: [{ matcher: "Edit|Write", hooks: [hook] }] };
    project.write(".claude/settings.json", JSON.stringify({ hooks }));
    project.write(".mcp.json", JSON.stringify({ mcpServers: { box: program() } }));
    await project.run(["import", "claude", "--yes", "--remove"]);
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.hook(patch("PreToolUse", project));
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason).toContain(
      `Edit ${join(project.cwd, "src/a.ts")}`,
    );
  });

  it("refuses where it rewrites an input that another agent's tool does not have", async () => {
    const project = await imported(
      "PreToolUse",
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"x","content":"y"}}}'`,
      "Write",
    );
    const { stdout } = await project.hook(patch("PreToolUse", project));
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });
});

describe.each(Object.keys(AGENTS) as Agent[])("a hook that was imported from %s", (agent) => {
  it.each(chosen(["Codex"], ["Claude Code", "Codex", "Gemini CLI"]))(
    "gets its own agent's payload about a new file of %s, and refuses in its own words",
    async (sender) => {
      const { change, seen } = AGENTS[agent];
      const project = await guarded(agent, change, seen);
      const { stdout, stderr } = await project.hook(WRITERS[sender]?.(project.cwd) ?? {});
      expect(`${stdout}${stderr}`).toContain("No.");
      expect(stdout).toMatch(/"(?:permissionDecision|decision)":"deny"/);
    },
  );
});

describe("an imported hook that takes its parent for the agent", () => {
  it("has the id of the agent's process, the same at each call", async () => {
    const project = newProject({ cached: true });
    const command = 'echo "$PPID" >> parents';
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command }] }] };
    project.write(".claude/settings.json", JSON.stringify({ hooks }));
    await project.run(["import", "claude", "--yes", "--remove"]);
    await trustProject(project.cwd, project.environment);
    const call = { ...fixture("claude/PreToolUse.json"), cwd: project.cwd };
    await project.hook(call);
    await project.hook({ ...call, tool_use_id: "another" });
    const parents = readFileSync(join(project.cwd, "parents"), "utf8");
    expect(parents).toBe(`${process.pid}\n${process.pid}\n`);
  });
});
