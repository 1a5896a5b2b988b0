import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { hookHere } from "./support/decided-here.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

/** A payload with spaces, escapes and numbers that no JSON library writes like this. */
function oddPayload({ cwd }: Project): string {
  return `{ "session_id":"s1",  "cwd": ${JSON.stringify(cwd)}, "hook_event_name": "PreToolUse", "tool_name":"Bash",
    "tool_input": {"command":"ls \\u00e9 \\/tmp", "timeout": 1.0, "big": 12345678901234567890}, "tool_use_id": "t1"} \n`;
}

/** A hook that stores what it reads from stdin in a file. */
function recorder(file: string, more: object = {}): object {
  const matcher = { events: ["PreToolUse"] };
  return { name: file, type: "command", command: `cat > ${file}`, payload: "native", matcher, ...more };
}

function stored({ cwd }: Project, file: string): string {
  return readFileSync(join(cwd, file), "utf8");
}

describe("our event of a foreign agent", () => {
  it("has agent_id and agent_type only where the agent gives them", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([recorder("seen", { payload: "tenterhook" })]);
    const agentOf = () => {
      const { agent_id, agent_type, parent_agent_id } = JSON.parse(stored(project, "seen"));
      return { agent_id, agent_type, parent_agent_id };
    };
    await project.hook(shellCall("ls"));
    expect(agentOf()).toEqual({});
    await project.hook({ ...shellCall("ls"), tool_use_id: "t2", agent_id: "a1", agent_type: "Explore" });
    expect(agentOf()).toEqual({ agent_id: "a1", agent_type: "Explore", parent_agent_id: "s1" });
  });

  it("is matched as an event of the main agent nevertheless", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([
      recorder("main", { matcher: { events: ["PreToolUse"], agents: ["main"] } }),
      recorder("root", { matcher: { events: ["PreToolUse"], session_types: ["root"] } }),
      recorder("other", { matcher: { events: ["PreToolUse"], agents: ["Explore"] } }),
    ]);
    await project.hook(shellCall("ls"));
    const written = readdirSync(project.cwd).filter((name) => ["main", "root", "other"].includes(name));
    expect(written).toEqual(["main", "root"]);
  });
});

describe("a command with payload: native", () => {
  it("reads the payload byte for byte as the agent sent it", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([recorder("seen")]);
    const payload = oddPayload(project);
    expect(await hookHere(project, payload)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(stored(project, "seen")).toBe(payload);
  });

  it("reads it as a part of a composition and in the background too", async () => {
    const project = newProject({ decidesHere: true });
    const part = { type: "command", command: "cat > part", payload: "native" };
    await project.configure([
      { name: "all", all: [part], matcher: { events: ["PreToolUse"] } },
      recorder("background", { async: true }),
    ]);
    const payload = oddPayload(project);
    await hookHere(project, payload);
    expect(stored(project, "part")).toBe(payload);
    await eventually(() => expect(stored(project, "background")).toBe(payload));
  });

  it("reads the input that an earlier hook wrote, in the agent's own object", async () => {
    const project = newProject({ decidesHere: true });
    const rewrite = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls -l"}}}'`;
    const matcher = { events: ["PreToolUse"] };
    await project.configure([
      { name: "rewrite", type: "command", command: rewrite, matcher },
      recorder("seen"),
    ]);
    await hookHere(project, oddPayload(project));
    const { cwd } = project;
    expect(JSON.parse(stored(project, "seen"))).toEqual({
      session_id: "s1",
      cwd,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls -l" },
      tool_use_id: "t1",
    });
  });

  it("is asked as a gate of PreToolUse about an input that PermissionRequest rewrote", async () => {
    const project = newProject({ decidesHere: true });
    const decision = { behavior: "allow", updatedInput: { command: "ls -l" } };
    const reply = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
    await project.configure([
      {
        name: "rewrite",
        type: "command",
        command: `echo '${JSON.stringify(reply)}'`,
        matcher: { events: ["PermissionRequest"] },
      },
      recorder("seen"),
    ]);
    await project.hook({ ...shellCall("ls"), hook_event_name: "PermissionRequest" });
    expect(JSON.parse(stored(project, "seen"))).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_input: { command: "ls -l" },
    });
  });

  it("leaves no trace of the payload's text in the journal", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([recorder("seen")]);
    await hookHere(project, oddPayload(project));
    expect(JSON.stringify(project.journal())).not.toContain("u00e9");
  });

  it("has the environment that the agent gave, with variables of its own, and no variable of ours about the event", async () => {
    const project = newProject({ decidesHere: true });
    project.environment.CLAUDE_PROJECT_DIR = `${project.cwd}/.`;
    project.environment.CLAUDE_ENV_FILE = join(project.folder, "env.sh");
    project.environment.CLAUDE_CODE_SESSION_ID = "s1";
    project.environment.GITHUB_TOKEN = "secret";
    project.environment.TENTERHOOK_COMMAND = "of an outer hook";
    const set_env = { CLAUDE_PLUGIN_ROOT: "/plug in", PATH: "/usr/bin:/bin" };
    await project.configure([recorder("seen", { command: "env > seen", set_env })]);
    await project.hook(shellCall("ls"));
    const lines = stored(project, "seen").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        `CLAUDE_PROJECT_DIR=${project.cwd}/.`,
        `CLAUDE_ENV_FILE=${join(project.folder, "env.sh")}`,
        "CLAUDE_CODE_SESSION_ID=s1",
        "CLAUDE_PLUGIN_ROOT=/plug in",
        "PATH=/usr/bin:/bin",
      ]),
    );
    const names = lines.map((line) => line.split("=")[0]);
    expect(names).not.toContain("GITHUB_TOKEN");
    expect(names).not.toContain("TENTERHOOK_COMMAND");
  });

  it("runs the trusted file of its project, whatever project the agent names", async () => {
    const project = newProject({ decidesHere: true });
    project.write("hooks/guard.sh", "echo trusted > ran");
    project.write("other/hooks/guard.sh", "echo another > ran");
    await project.configure([recorder("seen", { command: 'cd; sh "$CLAUDE_PROJECT_DIR"/hooks/guard.sh' })]);
    project.environment.CLAUDE_PROJECT_DIR = join(project.cwd, "other");
    project.environment.HOME = project.cwd;
    await project.hook(shellCall("ls"));
    expect(stored(project, "ran")).toBe("trusted\n");
  });

  it("judges a command that is too long for a variable", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([recorder("seen")]);
    const long = "x".repeat(200_000);
    expect((await project.hook(shellCall(`cat <<'END'\n${long}\nEND`))).stdout).toBe("");
    expect(stored(project, "seen")).toContain(long);
  });

  it("can't be a process that stays", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([recorder("seen", { mode: "persistent" })]);
    const { stdout } = await project.run(["validate"]);
    expect(stdout).toContain("payload: native needs a process for each event");
  });
});
