import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { newProject, type Project, shellCall } from "./support/project.ts";

/** What `import` writes for an agent whose hooks fail open. */
const ON_FAILURE = { default: "open", untrusted: "closed" };

/** A guard that came from another agent, and lets everything pass. */
function guard(events: readonly string[], more: object = {}): object {
  const command = '"$CLAUDE_PROJECT_DIR"/hooks/guard.sh';
  return {
    name: "guard",
    type: "command",
    command,
    payload: "native",
    on_failure: ON_FAILURE,
    matcher: { events },
    ...more,
  };
}

/** A project with that guard whose script has changed since it was trusted. */
async function changed(events: readonly string[], more: object = {}): Promise<Project> {
  const project = newProject({ decidesHere: true });
  project.write("hooks/guard.sh", "#!/bin/sh\nexit 0\n");
  await project.configure([guard(events, more)]);
  writeFileSync(join(project.cwd, "hooks/guard.sh"), "#!/bin/sh\necho changed\n");
  return project;
}

async function replyTo(project: Project, payload: object): Promise<Readonly<Record<string, unknown>>> {
  const { stdout, code } = await project.hook(payload);
  expect(code).toBe(0);
  return stdout === "" ? {} : JSON.parse(stdout);
}

const WAY_OUT = "Look at what it does and trust it with: tenterhook trust";

describe("a guard with { default: open, untrusted: closed }", () => {
  it("refuses after its script has changed; the user reads how to trust it, the model does not", async () => {
    const project = await changed(["PreToolUse"]);
    const place = `${project.cwd}/.tenterhook/hooks.yaml:3`;
    const why = `Hook "guard" failed (untrusted): ${place}: hooks/guard.sh has changed since it was trusted.`;
    expect(await replyTo(project, shellCall("ls"))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: `${why} Ask the user to review the hooks.`,
      },
      systemMessage: `${why} ${WAY_OUT}`,
    });
  });

  it("refuses on the machine of a colleague who has not trusted it", async () => {
    const project = newProject({ decidesHere: true });
    project.write("hooks/guard.sh", "#!/bin/sh\nexit 0\n");
    project.write(".tenterhook/hooks.yaml", stringify({ hooks: { definitions: [guard(["PreToolUse"])] } }));
    const { hookSpecificOutput, systemMessage } = await replyTo(project, shellCall("ls"));
    expect(hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    expect(JSON.stringify(hookSpecificOutput)).not.toContain("tenterhook trust");
    expect(systemMessage).toContain(`it is not trusted yet. ${WAY_OUT}`);
  });

  it("refuses where the model reads all that is written, without the way to trust it", async () => {
    const project = await changed(["claude:TaskCreated"]);
    const payload = { hook_event_name: "TaskCreated", task_id: "1", task_subject: "Work." };
    const { code, stderr } = await project.hook(payload);
    expect([code, stderr.includes("Ask the user to review"), stderr.includes("tenterhook trust")]).toEqual([
      2,
      true,
      false,
    ]);
  });

  it("is open to every other failure, and the user reads of it", async () => {
    const project = newProject({ decidesHere: true });
    const away = { type: "http", url: "http://127.0.0.1:1/", command: undefined, payload: undefined };
    await project.configure([guard(["PreToolUse"], away)]);
    expect(await replyTo(project, shellCall("ls"))).toEqual({
      systemMessage: expect.stringContaining('Hook "guard" failed (missing)'),
    });
  });

  it("refuses a prompt, and the user reads how to trust it", async () => {
    const project = await changed(["UserPromptSubmit"]);
    expect(await replyTo(project, { hook_event_name: "UserPromptSubmit", prompt: "Go." })).toEqual({
      decision: "block",
      reason: expect.stringContaining("has changed since it was trusted"),
      systemMessage: expect.stringContaining(WAY_OUT),
    });
  });

  it.each(["SessionStart", "Notification"])(
    "only tells the user where nothing can be refused: %s",
    async (hook_event_name) => {
      const project = await changed([hook_event_name]);
      const payload = { hook_event_name, source: "startup", message: "Done." };
      expect(await replyTo(project, payload)).toEqual({ systemMessage: expect.stringContaining(WAY_OUT) });
    },
  );

  it("does not let the agent stop, and says why to the user and to the model", async () => {
    const project = await changed(["Stop"]);
    const stop = { hook_event_name: "Stop", stop_hook_active: false };
    expect(await replyTo(project, stop)).toEqual({
      decision: "block",
      reason: expect.stringMatching(/has changed since it was trusted\. Ask the user to review the hooks\.$/),
      systemMessage: expect.stringContaining(WAY_OUT),
    });
  });

  it("lets the agent stop with on_failure: open or without one, and says so to the user", async () => {
    for (const on_failure of ["open", undefined]) {
      const project = await changed(["Stop"], { on_failure });
      const reply = await replyTo(project, { hook_event_name: "Stop", stop_hook_active: false });
      expect(reply).toEqual({ systemMessage: expect.stringContaining(WAY_OUT) });
    }
  });

  it("refuses nothing as an observer", async () => {
    const project = await changed(["PreToolUse"], { observe: true });
    expect(await replyTo(project, shellCall("ls"))).toEqual({
      systemMessage: expect.stringContaining(WAY_OUT),
    });
  });
});
