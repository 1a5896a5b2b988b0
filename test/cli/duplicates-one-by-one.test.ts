import { describe, expect, it } from "vitest";
import { hookAgain } from "./support/hook-again.ts";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project } from "./support/project.ts";

/** Copilot reads Claude Code's settings too, runs hooks one after another, and each sees what the one before rewrote. */
function call(command: string, timestamp = "2026-11-15T21:11:33.080Z"): object {
  return {
    hook_event_name: "PreToolUse",
    timestamp,
    tool_name: "Bash",
    tool_input: { description: "Run it", command },
    tool_use_id: undefined,
  };
}

function copilotProject(): Project {
  const project = newProject({ decidesHere: true });
  project.environment.COPILOT_CLI = "1";
  return project;
}

const BEFORE = { events: ["PreToolUse"] };
const argsIn = (stdout: string): unknown => JSON.parse(stdout).modifiedArgs;

describe("a call that an agent makes twice, one after the other", () => {
  it("is rewritten once", async () => {
    const project = copilotProject();
    const rules = 'command contains "ls" -> set(args.command, "{{args.command}} -l")';
    await project.configure([{ name: "long", type: "inline", matcher: BEFORE, rules }]);
    const first = await project.hook(call("ls"));
    expect(argsIn(first.stdout)).toEqual({ command: "ls -l", description: "Run it" });
    const second = await hookAgain(project, call("ls -l"));
    expect(argsIn(second.stdout)).toEqual({ command: "ls -l", description: "Run it" });
    expect(project.journal()).toHaveLength(1);
    // The same line in another call.
    const later = await project.hook(call("ls -l", "2026-11-15T21:11:34.000Z"));
    expect(argsIn(later.stdout)).toEqual({ command: "ls -l -l", description: "Run it" });
  });

  it("has its context read once", async () => {
    const project = copilotProject();
    await project.configure([
      { name: "context", type: "inline", matcher: BEFORE, rules: 'tool equals "Bash" -> context("Red.")' },
    ]);
    expect((await project.hook(call("ls"))).stdout).toContain("Red.");
    expect((await hookAgain(project, call("ls"))).stdout).toBe("");
  });

  it("asks a program once, also whether the turn may end", async () => {
    const project = copilotProject();
    const { asks, events } = await hookServer(() => ({ decision: "block", reason: "There is more." }));
    await project.configure([{ name: "count", ...asks, matcher: { events: ["Stop"] } }]);
    const stop = { hook_event_name: "Stop", timestamp: "2026-11-15T21:11:33.080Z", stop_hook_active: false };
    const first = await project.hook({ ...stop, tool_use_id: undefined });
    expect(JSON.parse(first.stdout)).toEqual({ decision: "block", reason: "There is more." });
    expect(await hookAgain(project, { ...stop, tool_use_id: undefined })).toEqual(first);
    expect(events).toHaveLength(1);
  });
});
