import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import { json, QUESTION, states, watchedProject } from "./support/watched-project.ts";

describe("tenterhook status", () => {
  it("starts the daemon, and shows each agent's state as its hooks report it", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    expect(await states(project)).toEqual({});
    await project.hook({ hook_event_name: "SessionStart", source: "startup" });
    expect(await states(project)).toEqual({ s1: "starting" });
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Paint it." });
    expect(await states(project)).toEqual({ s1: "working" });
    await project.hook(QUESTION);
    await project.hook({ hook_event_name: "UserPromptSubmit", session_id: "s2", prompt: "Go." });
    expect(await states(project)).toEqual({ s1: "prompting", s2: "working" });
    await project.hook({ ...QUESTION, hook_event_name: "PostToolUse", tool_response: {} });
    expect(await states(project)).toEqual({ s1: "working", s2: "working" });
    await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    await project.hook({ hook_event_name: "StopFailure", session_id: "s2", error: "rate_limit" });
    expect(await states(project)).toEqual({ s1: "idle", s2: "failed" });
    await project.hook({ hook_event_name: "SessionEnd", reason: "exit" });
    const { stdout } = await project.start(["status"]);
    expect(stdout).toMatch(/^ {2}1 failed · 1 ended\n/);
    expect(stdout).toMatch(/● failed +\d+ (?:s|min) +claude in project \(s2\) +rate limited/);
    expect(stdout).toMatch(/○ ended +\d+ (?:s|min) +claude in project \(s1\)/);
  });

  it("says what to do when no agent was seen", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    const { stdout } = await project.run(["status"]);
    expect(stdout).toMatch(
      /^ {2}No agent was seen\. Agents report here when your configuration has a monitor section\.\n {2}The daemon decides calls of hooks: process \d+, [^\n]*\n$/,
    );
  });

  it("reports nothing when no monitor is configured", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    await project.hook({ hook_event_name: "UserPromptSubmit", prompt: "Go." });
    expect(await states(project)).toEqual({});
  });

  it("shows an agent whose process was killed as gone, and dismisses what it asked", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    const agent = spawn("sleep", ["300"]);
    onTestFinished(() => void agent.kill("SIGKILL"));
    const report = (type: string, fields: object) =>
      appendToSpool({ type, agent_id: "w1", session_id: "s1", ...fields }, project.environment);
    report("agent:start", { agent_pid: agent.pid });
    report("agent:prompt", { prompt_type: "question", question: "Which?" });
    expect(await states(project)).toEqual({ w1: "prompting" });
    agent.kill("SIGKILL");
    await eventually(async () => expect(await states(project)).toEqual({ w1: "gone" }));
    const { decisions } = await json(project, "decisions", "list", "--all");
    expect(decisions).toEqual([expect.objectContaining({ state: "dismissed", agent_id: "w1" })]);
  });
});
