import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { needs } from "../support/needs.ts";
import { hookHere } from "./support/decided-here.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "Go." };
const RULES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse", "UserPromptSubmit"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};

/** A folder that is not there any more. */
function deletedFolder({ cwd }: Project): string {
  return join(cwd, "packages/gone");
}

/** Writes a hook of the user. */
function configureUser({ folder }: Project, definition: object): void {
  mkdirSync(join(folder, "config/tenterhook"), { recursive: true });
  const hooks = { definitions: [definition] };
  writeFileSync(join(folder, "config/tenterhook/hooks.yaml"), stringify({ hooks }));
}

async function replyTo(project: Project, payload: object): Promise<Readonly<Record<string, unknown>>> {
  const { stdout, code } = await project.hook({ cwd: deletedFolder(project), ...payload });
  expect(code).toBe(0);
  return stdout === "" ? {} : JSON.parse(stdout);
}

describe("a working folder that was deleted", () => {
  it("does not hold up a command of the project", async () => {
    const project = newProject({ decidesHere: true });
    const command = "echo No. >&2; exit 2";
    await project.configure([{ name: "x", type: "command", command, matcher: { events: ["PreToolUse"] } }]);
    expect(await replyTo(project, shellCall("ls"))).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: "No." },
    });
  });

  it.each([
    ["closed", { hookSpecificOutput: expect.objectContaining({ permissionDecision: "deny" }) }],
    ["open", {}],
  ])("is the failure of a gate that needs it: %s", async (on_failure, refusal) => {
    const project = newProject({ decidesHere: true });
    const matcher = { events: ["PreToolUse"] };
    configureUser(project, { name: "x", type: "command", command: "git status", on_failure, matcher });
    expect(await replyTo(project, shellCall("ls"))).toEqual({
      ...refusal,
      systemMessage: `Hook "x" failed (missing): There is no folder ${deletedFolder(project)} to run /bin/sh in.`,
    });
    expect(await replyTo(project, PROMPT)).toEqual({});
  });

  it.each(["user", "project"])(
    "does not keep a script of another agent, a hook of the %s, from running in the project",
    async (owner) => {
      const project = newProject({ decidesHere: true });
      const matcher = { events: ["PreToolUse"] };
      const guard = { name: "x", type: "command", command: "pwd >&2; exit 2", payload: "native", matcher };
      project.environment.CLAUDE_PROJECT_DIR = project.cwd;
      if (owner === "user") configureUser(project, guard);
      else await project.configure([guard]);
      expect(await replyTo(project, shellCall("ls"))).toMatchObject({
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: project.cwd },
      });
    },
  );

  it("may be the one that we are started in", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([RULES]);
    await project.readConfig(shellCall("git push"));
    const cwd = deletedFolder(project);
    mkdirSync(cwd, { recursive: true });
    const env = { ...project.environment, GONE: cwd };
    const child = spawn("/bin/sh", ["-c", 'rmdir "$GONE"; exec "$@"', "sh", process.execPath, CLI, "hook"], {
      cwd,
      env,
    });
    child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("git push") }));
    const [stdout] = await Promise.all([text(child.stdout), once(child, "close")]);
    rmSync(cwd, { recursive: true, force: true });
    expect(stdout).toContain("Not from here.");
  });
});

describe("a session in a worktree that was removed", () => {
  /** A project with a worktree beside it that is gone, and whether a call from there is refused. */
  async function projectWithout() {
    const project = newProject({ decidesHere: true });
    await project.configure([RULES]);
    const worktree = join(project.folder, "worktrees/feature");
    needs("git");
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
        cwd: project.cwd,
        stdio: "pipe",
      });
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "hooks");
    git("worktree", "add", "--quiet", worktree);
    git("worktree", "remove", worktree);
    const push = JSON.stringify({
      session_id: "s1",
      tool_use_id: "t1",
      cwd: worktree,
      ...shellCall("git push"),
    });
    const replyFrom = async (folder: string) => {
      const { stdout } = await hookHere({ cwd: folder, environment: project.environment }, push);
      return stdout === "" ? {} : JSON.parse(stdout);
    };
    return { project, worktree, replyFrom };
  }
  const refused = { hookSpecificOutput: { permissionDecision: "deny" } };

  it("has the hooks of the checkout in which the hook is started, whatever the agent calls its project", async () => {
    const { project, worktree, replyFrom } = await projectWithout();
    expect(await replyFrom(project.cwd)).toMatchObject(refused);
    project.environment.CLAUDE_PROJECT_DIR = worktree;
    expect(await replyFrom(project.cwd)).toMatchObject(refused);
    project.environment.CLAUDE_PROJECT_DIR = join(project.folder, "another/gone");
    expect(await replyFrom(project.cwd)).toMatchObject(refused);
  });

  it("has the hooks of the agent's project, wherever the hook is started", async () => {
    const { project, replyFrom } = await projectWithout();
    project.environment.CLAUDE_PROJECT_DIR = project.cwd;
    expect(await replyFrom(project.folder)).toMatchObject(refused);
  });
});
