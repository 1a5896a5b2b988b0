import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project, shellCall } from "./support/project.ts";

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

async function replyTo(project: Project, payload: object): Promise<Readonly<Record<string, unknown>>> {
  const { stdout, code } = await project.hook({ cwd: deletedFolder(project), ...payload });
  expect(code).toBe(0);
  return stdout === "" ? {} : JSON.parse(stdout);
}

describe("a working folder that was deleted", () => {
  it("refuses nothing by itself, and the hooks of the project decide", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([RULES]);
    expect(await replyTo(project, PROMPT)).toEqual({});
    expect(await replyTo(project, shellCall("ls"))).toEqual({});
    expect(await replyTo(project, shellCall("git push"))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Not from here." },
    });
  });

  it("finds the configuration from the folder that the agent calls its project", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([RULES]);
    project.environment.CLAUDE_PROJECT_DIR = project.cwd;
    const cwd = join(project.folder, "elsewhere/gone");
    expect(await replyTo(project, { ...shellCall("git push"), cwd })).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
  });

  it("may be the agent's project too", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([RULES]);
    project.environment.CLAUDE_PROJECT_DIR = deletedFolder(project);
    expect(await replyTo(project, PROMPT)).toEqual({});
    expect(await replyTo(project, shellCall("git push"))).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: "Not from here." },
    });
  });
});
