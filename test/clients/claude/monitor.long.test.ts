import { describe, expect, it } from "vitest";
import { ACTION_ENDED } from "../../../src/monitor/report/actions.ts";
import { allSpooled } from "../../../src/monitor/report/spool.ts";
import type { Project } from "../../cli/support/project.ts";
import { eventually, processesNamed, processesWith } from "../../support/processes.ts";
import { runClaude } from "../support/claude.ts";
import { watchAs } from "../support/client.ts";
import { monitoredProject, ONE_TURN } from "../support/monitored.ts";
import { COLOUR_QUESTION, planningModel, silentHost } from "./support/asking.ts";

const HOLDS = { on_prompt: { action: "answer", wait: "5m" } };

function waitersOf({ folder }: Project): readonly number[] {
  const waiters = processesNamed("agent wake");
  return processesWith(folder).filter((pid) => waiters.includes(pid));
}

/** A run that asks the question. */
function painter(project: Project) {
  return runClaude({
    project,
    mode: "default",
    script: [[["AskUserQuestion", { questions: [COLOUR_QUESTION] }]]],
    host: silentHost,
    through: watchAs("painter"),
  });
}

describe("Claude Code under the monitor", () => {
  it("asks for the approval of a plan, which the command line gives, and goes on", async () => {
    const { project, shows, resolve, decisions, reported } = monitoredProject(HOLDS);
    const running = runClaude({
      project,
      mode: "plan",
      model: planningModel(),
      host: silentHost,
      through: watchAs("planner"),
    });
    const asking = {
      agent_id: "planner",
      host: "claude",
      state: "prompting",
      prompt_type: "plan_approval",
    } as const;
    await shows({ ...asking, cwd: project.cwd });
    await resolve("accept");
    const { code, lastSent, requests } = await running;
    expect([code, requests.length]).toEqual([0, 3]);
    expect(lastSent).toMatch(/approved/i);
    expect(lastSent).not.toContain("Asked the host.");
    await shows({ agent_id: "planner", state: "exited", exit_code: 0 });
    expect(await decisions("--all")).toMatchObject([
      {
        source: "plan",
        context: "1. Write it.",
        state: "resolved",
        resolved: { channel: "cli", answer: { allow: true } },
      },
    ]);
    expect(reported()).toEqual([
      "agent:launched",
      "agent:start",
      "agent:turn",
      "agent:prompt",
      "agent:went_on",
      "agent:stopped",
      "agent:exit",
      "agent:exit",
    ]);
  });

  it("asks a question, and goes on with the option that was chosen", async () => {
    const { project, shows, resolve } = monitoredProject(HOLDS);
    const running = painter(project);
    await shows({
      agent_id: "painter",
      state: "prompting",
      prompt_type: "question",
      question: [COLOUR_QUESTION],
    });
    await resolve("2");
    const { lastSent } = await running;
    expect(lastSent).toContain("Red");
    expect(lastSent).not.toContain("Asked the host.");
  });

  it("that is killed while it asks is gone, and its decision is dismissed", async () => {
    const { project, shows, decisions } = monitoredProject(HOLDS);
    const running = painter(project);
    const { pid = 0 } = await shows({ state: "prompting" });
    expect(await decisions()).toMatchObject([{ agent_id: "painter", state: "open" }]);
    process.kill(pid, "SIGKILL");
    await shows({ agent_id: "painter", state: "gone" });
    expect(await decisions()).toEqual([]);
    expect(await decisions("--all")).toMatchObject([{ agent_id: "painter", state: "dismissed" }]);
    expect((await running).code).toBe(137);
  });

  it("is woken on its terminal when it has nothing to do", async () => {
    const { project, shows, decisions } = monitoredProject({
      on_idle: { action: "nudge", message: "Go on with the tests.", grace: 0 },
    });
    const running = runClaude({
      project,
      script: ["The first part is there.", "Tested."],
      typed: [
        ["❯", "Begin."],
        ["Begin.", "\r"],
        // One word: it moves the cursor over spaces.
        ["Tested.", "/exit"],
        ["/exit", "\r"],
      ],
      through: watchAs("idler"),
    });
    const { code, requests, lastSent } = await running;
    expect([code, requests.length]).toEqual([0, 2]);
    expect(lastSent).toContain("A message from the monitor of your user: Go on with the tests.");
    await shows({ agent_id: "idler", state: "exited", exit_code: 0, task: "Begin." });
    expect(allSpooled(project.environment).filter(({ type }) => type === ACTION_ENDED)).toMatchObject([
      { ok: true, route: "woken" },
    ]);
    expect(await decisions("--all")).toEqual([]);
    // Its last waiter has ended with it.
    expect(waitersOf(project)).toEqual([]);
  });

  it("leaves no waiter behind when /clear begins another session", async () => {
    const { project, shows, reported } = monitoredProject({ on_idle: "done" });
    const running = runClaude({
      project,
      typed: [
        ["❯", "Begin."],
        ["Begin.", "\r"],
        // The title of the terminal when it has nothing to do.
        ["✳ Claude Code", "/clear"],
        ["/clear", "\r"],
      ],
      through: watchAs("cleared"),
    });
    await eventually(() => expect(reported()).toContain("agent:exit"), 90_000);
    await eventually(() => expect(waitersOf(project)).toEqual([]));
    const { pid = 0 } = await shows({ agent_id: "cleared" });
    process.kill(pid, "SIGKILL");
    await running;
  });

  it("is not held by a waiter where it has no terminal", async () => {
    const { project, reported } = monitoredProject({ on_idle: "done" });
    const { code } = await runClaude({ project, script: ["done"], through: watchAs("quick") });
    expect(code).toBe(0);
    expect(reported()).toEqual(ONE_TURN);
  });
});
