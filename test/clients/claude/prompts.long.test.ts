import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Project } from "../../cli/support/project.ts";
import { eventually } from "../../support/processes.ts";
import { type ClaudeRun, installHooks, runClaude, say } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";
import { type MonitoredProject, monitoredProject } from "../support/monitored.ts";
import { COLOUR_QUESTION, silentHost } from "./support/asking.ts";

const touch = (name: string) => [["Bash", { command: `touch ${name}`, description: "Make a file" }]] as const;
const QUESTIONS = [COLOUR_QUESTION];

function spool({ folder }: Project): readonly Readonly<Record<string, unknown>>[] {
  const file = join(folder, "state/tenterhook/spool/spool.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** A project whose user answers prompts himself, through the installed hook that holds them. */
async function answeringProject(): Promise<MonitoredProject> {
  const monitored = monitoredProject({ on_prompt: { action: "answer", wait: "5m" } });
  await installHooks(monitored.project, []);
  return monitored;
}

/** The events of a prompt that hooks have decided. */
function prompts(project: Project): readonly unknown[] {
  return project
    .journal()
    .map(({ event }) => event)
    .filter((event) => Object(event).hook_event_name === "AgentPrompt");
}

/** A host that refuses what it is asked. Claude Code asks it and our hook at the same time: the hook comes first here. */
function refusingHost(project: Project): NonNullable<ClaudeRun["host"]> {
  return async (message, child) => {
    if (message.type === "result") child.stdin.end();
    const { request, request_id } = message;
    if (message.type !== "control_request" || !isRecord(request) || request.subtype !== "can_use_tool")
      return;
    await eventually(() => expect(prompts(project)).toHaveLength(1));
    const response = { behavior: "deny", message: "Asked the host." };
    say(child, { type: "control_response", response: { subtype: "success", request_id, response } });
  };
}

describe("a prompt of Claude Code", () => {
  it("is told, and goes on to whoever answers it", async () => {
    const project = clientProject();
    const hook = { name: "seen", type: "command", command: "true", matcher: { events: ["AgentPrompt"] } };
    await installHooks(project, [hook]);
    const { lastSent } = await runClaude({
      project,
      mode: "default",
      script: [[["AskUserQuestion", { questions: QUESTIONS }]]],
      host: refusingHost(project),
    });
    expect(lastSent).toContain("Asked the host.");
    expect(spool(project)[0]).toMatchObject({
      type: "agent:prompt",
      host: "claude",
      prompt_type: "question",
      question: QUESTIONS,
    });
    expect(prompts(project)).toMatchObject([{ prompt_type: "question" }]);
  });

  it("that asks a question is answered by a human through the hook", async () => {
    const { project, shows, resolve } = await answeringProject();
    const script = [[["AskUserQuestion", { questions: QUESTIONS }]]] as const;
    const running = runClaude({ project, mode: "default", script, host: silentHost });
    await shows({ state: "prompting", prompt_type: "question" });
    await resolve("2");
    const { lastSent } = await running;
    expect(lastSent).toContain("Red");
  });

  it("that shows a plan is answered with what is to be revised", async () => {
    const { project, shows, resolve } = await answeringProject();
    const script = [[["ExitPlanMode", { plan: "1. Write it." }]]] as const;
    const running = runClaude({ project, mode: "plan", script, host: silentHost });
    await shows({ state: "prompting", prompt_type: "plan_approval" });
    await resolve("revise", "-m", "Tests first.");
    const { lastSent } = await running;
    expect(lastSent).toContain("Tests first.");
  });

  it("that asks for a permission is granted by a human through the hook", async () => {
    const { project, shows, resolve } = await answeringProject();
    const running = runClaude({ project, mode: "default", script: [touch("granted")] });
    await shows({ state: "prompting", prompt_type: "permission" });
    await resolve("allow");
    await running;
    expect(existsSync(join(project.cwd, "granted"))).toBe(true);
  });
});

describe("a call that Claude Code tells twice", () => {
  const HOOK = {
    name: "count",
    type: "command",
    script: "count.sh",
    matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  };
  const COUNT = "#!/bin/sh\necho ran >> ran\nsleep 0.3\necho 'Not twice.' >&2\nexit 2\n";

  it.each([
    ["the user's settings and the project's", "tenterhook hook"],
    ["entries it takes for different ones", "exec tenterhook hook"],
  ])("by %s is decided once", async (_, command) => {
    const project = clientProject();
    project.write("count.sh", COUNT);
    await installHooks(project, [HOOK]);
    await installHooks(project, [HOOK], { scope: "user" });
    const user = join(project.folder, "home/.claude/settings.json");
    writeFileSync(user, readFileSync(user, "utf8").replace("tenterhook hook", command));
    const { lastSent } = await runClaude({ project, script: [touch("made")] });
    expect([existsSync(join(project.cwd, "made")), lastSent.includes("Not twice.")]).toEqual([false, true]);
    expect(readFileSync(join(project.cwd, "ran"), "utf8")).toBe("ran\n");
    expect(project.journal().length).toBe(1);
  });
});
