import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { isRecord } from "../../../src/core/base/json.ts";
import type { Project } from "../../cli/support/project.ts";
import { eventually } from "../../support/processes.ts";
import { type ClaudeRun, installHooks, runClaude, say } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const touch = (name: string) => [["Bash", { command: `touch ${name}`, description: "Make a file" }]] as const;
const QUESTIONS = [
  {
    question: "Which colour?",
    header: "Colour",
    multiSelect: false,
    options: [
      { label: "Blue", description: "Like the sky" },
      { label: "Red", description: "Like a rose" },
    ],
  },
];

function spool({ folder }: Project): readonly Readonly<Record<string, unknown>>[] {
  const file = join(folder, "state/tenterhook/spool/spool.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** A project whose user answers prompts himself, through the hook that holds them. */
async function answeringProject(): Promise<Project> {
  const project = clientProject();
  const monitor = { on_prompt: { action: "answer", wait: "5m" } };
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  await installHooks(project, []);
  return project;
}

/** Answers the first prompt that is held. */
async function answer(project: Project, reply: string): Promise<void> {
  const prompts = () => spool(project).filter(({ type }) => type === "agent:prompt");
  await eventually(() => expect(prompts().length).toBe(1), 60_000);
  const [{ id } = {}] = prompts();
  const { code, stderr } = await project.run(["decisions", "resolve", String(id), reply]);
  expect([code, stderr]).toEqual([0, ""]);
}

/** A host that refuses whatever it is asked: one that is asked has not been spared. */
const refusingHost: ClaudeRun["host"] = (message, child) => {
  if (message.type === "result") child.stdin.end();
  const { request, request_id } = message;
  if (message.type !== "control_request" || !isRecord(request) || request.subtype !== "can_use_tool") return;
  const response = { behavior: "deny", message: "Asked the host." };
  say(child, { type: "control_response", response: { subtype: "success", request_id, response } });
};

describe("a prompt of Claude Code", () => {
  it("is told, and goes on to whoever answers it", async () => {
    const project = clientProject();
    const hook = { name: "seen", type: "command", command: "true", matcher: { events: ["AgentPrompt"] } };
    await installHooks(project, [hook]);
    const { lastSent } = await runClaude({
      project,
      mode: "default",
      script: [[["AskUserQuestion", { questions: QUESTIONS }]]],
      host: refusingHost,
    });
    expect(lastSent).toContain("Asked the host.");
    expect(spool(project)[0]).toMatchObject({
      type: "agent:prompt",
      host: "claude",
      prompt_type: "question",
      question: QUESTIONS,
    });
    expect(project.journal().map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ hook_event_name: "AgentPrompt", prompt_type: "question" }),
    );
  });

  it("that asks a question is answered by a human through the hook", async () => {
    const project = await answeringProject();
    const script = [[["AskUserQuestion", { questions: QUESTIONS }]]] as const;
    const running = runClaude({ project, mode: "default", script, host: refusingHost });
    await answer(project, "2");
    const { lastSent } = await running;
    expect(lastSent).toContain("Red");
    expect(lastSent).not.toContain("Asked the host.");
  });

  it("that shows a plan is answered with what is to be revised", async () => {
    const project = await answeringProject();
    const script = [[["ExitPlanMode", { plan: "1. Write it." }]]] as const;
    const running = runClaude({ project, mode: "plan", script, host: refusingHost });
    await answer(project, "Tests first.");
    const { lastSent } = await running;
    expect(lastSent).toContain("Tests first.");
    expect(lastSent).not.toContain("Asked the host.");
  });

  it("that asks for a permission is granted by a human through the hook", async () => {
    const project = await answeringProject();
    const running = runClaude({ project, mode: "default", script: [touch("granted")] });
    await answer(project, "allow");
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
