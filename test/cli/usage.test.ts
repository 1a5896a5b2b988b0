import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project } from "./support/project.ts";

const NEARLY_FULL = 'usage.context_left < 0.2 -> context("Finish soon: {{usage.context_left}} is left.")';
const rules = (text: string, event = "PreToolUse") => ({
  name: `on-${event}`,
  type: "inline",
  matcher: { events: [event] },
  rules: text,
});

/** A transcript of Claude Code whose last call had so many tokens of input. */
function transcript(project: Project, input_tokens: number): string {
  const usage = { input_tokens, output_tokens: 0 };
  const entries = [
    { type: "user", message: { role: "user", content: "Go." }, timestamp: "2026-11-16T12:00:00.000Z" },
    {
      type: "assistant",
      message: { id: "msg_1", model: "claude-sonnet-4-5", usage },
      timestamp: "2026-11-16T12:00:01.000Z",
    },
  ];
  return project.write("../transcript.jsonl", entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

const payload = (project: Project, transcript_path: string, more: object = {}) => ({
  session_id: "s1",
  transcript_path,
  cwd: project.cwd,
  hook_event_name: "PreToolUse",
  permission_mode: "default",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  ...more,
});

describe("usage in a rule on a call of Claude Code", () => {
  it("holds when the context is nearly full, and not before", async () => {
    const project = newProject({ decidesHere: true });
    project.environment.CLAUDECODE = "1";
    await project.configure([rules(NEARLY_FULL)]);
    const full = await project.hook(payload(project, transcript(project, 170_000)));
    expect(JSON.parse(full.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        additionalContext: expect.stringContaining("Finish soon: 0.15 is left."),
      },
    });
    const half = await project.hook(payload(project, transcript(project, 100_000)));
    expect(half).toMatchObject({ code: 0, stdout: "" });
  });

  it("knows tokens and cost, by the prices of the configuration", async () => {
    const project = newProject({ decidesHere: true });
    project.environment.CLAUDECODE = "1";
    const costly = rules('usage.cost_usd >= 2 and usage.total_tokens > 1000 -> deny("Too dear.")');
    const prices = { "anthropic/claude-sonnet-4-5": { input: 1000, output: 0 } };
    project.write("../config/tenterhook/hooks.yaml", JSON.stringify({ models: { prices } }));
    await project.configure([costly]);
    const dear = await project.hook(payload(project, transcript(project, 2000)));
    expect(dear.stdout).toContain("Too dear.");
    const cheap = await project.hook(payload(project, transcript(project, 1999)));
    expect(cheap.stdout).toBe("");
  });

  it("does not count an earlier turn when a prompt begins the next one", async () => {
    const project = newProject({ decidesHere: true });
    project.environment.CLAUDECODE = "1";
    await project.configure([
      rules('usage.total_tokens > 1000 -> deny("Too much.")', "UserPromptSubmit"),
      rules('usage.total_tokens > 1000 -> deny("Too much.")'),
    ]);
    const transcript_path = transcript(project, 170_000);
    const given = payload(project, transcript_path);
    expect((await project.hook(given)).stdout).toContain("Too much.");
    const { tool_name: _, tool_input: __, ...about } = given;
    // Claude Code writes a prompt into its transcript after the hooks have seen it.
    const prompt = { ...about, hook_event_name: "UserPromptSubmit", prompt: "Go on." };
    expect(await project.hook(prompt)).toMatchObject({ code: 0, stdout: "" });
    appendFileSync(
      transcript_path,
      `${JSON.stringify({ type: "user", message: { role: "user", content: "Go on." } })}\n`,
    );
    expect(await project.hook(given)).toMatchObject({ code: 0, stdout: "" });
  });

  it("is unknown without a transcript, so that no comparison holds", async () => {
    const project = newProject({ decidesHere: true });
    project.environment.CLAUDECODE = "1";
    await project.configure([rules(NEARLY_FULL)]);
    const given = payload(project, join(project.folder, "none.jsonl"));
    expect(await project.hook(given)).toMatchObject({ code: 0, stdout: "" });
  });
});

it("a program gets the usage with its event", async () => {
  const project = newProject({ decidesHere: true });
  project.environment.CLAUDECODE = "1";
  const { asks, events } = await hookServer();
  await project.configure([{ name: "see", ...asks, matcher: { events: ["PreToolUse"] } }]);
  await project.hook(payload(project, transcript(project, 50_000)));
  expect(events).toMatchObject([
    { usage: { total_tokens: 50_000, context_window: 200_000, context_left: 0.75 } },
  ]);
});

it("the transcript is not opened for an event whose hooks do not read usage", async () => {
  const project = newProject({ decidesHere: true });
  project.environment.CLAUDECODE = "1";
  await project.configure([
    rules('command contains "made" -> deny("No.")'),
    rules(NEARLY_FULL, "PostToolUse"),
  ]);
  const given = payload(project, transcript(project, 190_000), { tool_input: { command: "touch made" } });
  expect((await project.hook(given)).stdout).toContain("No.");
  const [record] = project.journal();
  expect(record?.event).not.toHaveProperty("usage");
});

it("explain shows the usage of an agent's payload, and which rule it makes hold", async () => {
  const project = newProject({ decidesHere: true });
  await project.configure([rules(NEARLY_FULL)]);
  const given = payload(project, transcript(project, 170_000));
  project.write("payload.json", JSON.stringify(given));
  const { stdout, code } = await project.run(["explain", "payload.json", "--agent", "claude", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    event: { usage: { context_left: 0.15 } },
    decision: { context: [{ text: "Finish soon: 0.15 is left." }] },
  });
});

it("validate knows the fields of usage", async () => {
  const project = newProject({ decidesHere: true });
  project.write(
    ".tenterhook/hooks.yaml",
    JSON.stringify({
      hooks: {
        definitions: [
          rules("usage.context_lef < 0.2 -> deny()\nusage.cost > 1 -> deny()\nusage.wine exists -> deny()"),
        ],
      },
    }),
  );
  const { code, stdout, stderr } = await project.run(["validate"]);
  const output = stdout + stderr;
  expect(code).not.toBe(0);
  expect(output).toContain('usage has no field "context_lef". Did you mean "usage.context_left"?');
  expect(output).toContain('usage has no field "cost". Did you mean "usage.cost_usd"?');
  expect(output).toContain('usage has no field "wine". It has input_tokens,');
});

it("status shows what an agent has used, and how much of its context is left", async () => {
  const project = newProject({ decidesHere: true });
  project.write("../config/tenterhook/hooks.yaml", JSON.stringify({ monitor: { on_prompt: "escalate" } }));
  await projectDaemon(project);
  project.environment.CLAUDECODE = "1";
  const { tool_name: _, tool_input: __, ...about } = payload(project, transcript(project, 50_000));
  await project.hook({ ...about, hook_event_name: "UserPromptSubmit", prompt: "Go." });
  await project.hook({ ...about, hook_event_name: "Stop", stop_hook_active: false });
  const { stdout } = await project.run(["status", "--json"]);
  const [agent] = JSON.parse(stdout).agents;
  expect(agent).toMatchObject({
    agent_id: "s1",
    state: "idle",
    usage: { total_tokens: 50_000, cost_usd: 0.15, context_left: 0.75 },
  });
  const shown = await project.run(["status"]);
  expect(shown.stdout).toMatch(/~75 % left +\$0\.15/);
});
