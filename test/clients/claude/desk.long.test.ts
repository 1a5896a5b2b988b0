import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { claudeAtDesk } from "../support/desks.ts";
import { monitoredProject } from "../support/monitored.ts";
import { COLOUR_QUESTION, planningModel } from "./support/asking.ts";

const HOLDS = { on_prompt: { action: "answer", wait: "5m" } };
const ASKS = [[["AskUserQuestion", { questions: [COLOUR_QUESTION] }]]] as const;
const AT_TERMINAL = { by: "Answered in the terminal.", channel: "agent" };

describe("Claude Code at a desk, while a hook waits for an answer from elsewhere", () => {
  it("shows its question, and goes on with the answer from elsewhere", async () => {
    const { project, shows, resolve, decisions } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({ project, script: ASKS });
    await shows({ state: "prompting", prompt_type: "question" });
    await desk.shows("Which colour?");
    await resolve("2");
    await eventually(() => expect(desk.lastSent()).toContain('\\"Which colour?\\"=\\"Red\\"'));
    expect(await decisions("--all")).toMatchObject([
      { state: "resolved", resolved: { answer: "Red", fate: expect.stringMatching(/^(?:given|taken)$/) } },
    ]);
    await shows({ state: "idle" });
  });

  it("counts the answer at the desk, and refuses one that comes later", async () => {
    const { project, shows, decisions } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({ project, script: ASKS });
    await shows({ state: "prompting", prompt_type: "question" });
    await desk.shows("Which colour?");
    const [open] = await decisions();
    desk.presses("Enter");
    await eventually(() => expect(desk.lastSent()).toContain('\\"Which colour?\\"=\\"Blue\\"'));
    await eventually(async () =>
      expect(await decisions("--all")).toMatchObject([{ state: "dismissed", resolved: AT_TERMINAL }]),
    );
    expect(await project.start(["answer", open?.id ?? "", "2"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Too late: answered in the terminal."),
    });
    await shows({ state: "idle" });
  });

  it("is idle, and asks nothing any more, after Esc at its question", async () => {
    const { project, shows, decisions } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({ project, script: ASKS });
    await shows({ state: "prompting", prompt_type: "question" });
    await desk.shows("Which colour?");
    desk.presses("Escape");
    await shows({ state: "idle" });
    expect(await decisions("--all")).toMatchObject([
      { state: "dismissed", resolved: { by: "Interrupted in the terminal." } },
    ]);
  });

  it("reads what to change in its plan as its user's words", async () => {
    const { project, shows, resolve } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({ project, mode: "plan", model: planningModel() });
    await shows({ state: "prompting", prompt_type: "plan_approval" });
    await desk.shows("Would you like to proceed?");
    await resolve("revise", "-m", "Tests first.");
    await eventually(() => expect(desk.lastSent()).toMatch(/"The plan was sent back by \w+: Tests first\."/));
    expect(desk.lastSent()).not.toContain("hook error");
  });

  it("carries out a plan that was accepted elsewhere", async () => {
    const { project, shows, resolve } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({ project, mode: "plan", model: planningModel() });
    await shows({ state: "prompting", prompt_type: "plan_approval" });
    await resolve("accept");
    await eventually(() => expect(desk.lastSent()).toMatch(/approved/i));
  });

  it("runs a call that was allowed elsewhere", async () => {
    const { project, shows, resolve, decisions } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({
      project,
      script: [[["Bash", { command: "touch made", description: "Make" }]]],
    });
    await shows({ state: "prompting", prompt_type: "permission" });
    await desk.shows("Do you want to proceed?");
    await resolve("allow");
    await eventually(() => expect(existsSync(join(project.cwd, "made"))).toBe(true));
    await eventually(async () =>
      expect(await decisions("--all")).toMatchObject([{ state: "resolved", resolved: { fate: "taken" } }]),
    );
  });

  it("refuses an answer to a permission that was given at the desk", async () => {
    const { project, shows, decisions } = monitoredProject(HOLDS);
    const desk = await claudeAtDesk({
      project,
      script: [[["Bash", { command: "touch made", description: "Make" }]]],
    });
    await shows({ state: "prompting", prompt_type: "permission" });
    await desk.shows("Do you want to proceed?");
    desk.presses("Enter");
    await eventually(() => expect(existsSync(join(project.cwd, "made"))).toBe(true));
    await eventually(async () => expect(await decisions("--all")).toMatchObject([{ state: "dismissed" }]));
    await shows({ state: "idle" });
  });

  it("is asked at its terminal when its hook has stopped waiting, until it goes on", async () => {
    const { project, shows, decisions } = monitoredProject({ on_prompt: { action: "answer", wait: "3s" } });
    const desk = await claudeAtDesk({ project, script: ASKS });
    await shows({ state: "prompting", prompt_type: "question" });
    await eventually(async () =>
      expect(await decisions()).toMatchObject([{ state: "open", at_terminal: true }]),
    );
    await desk.shows("Which colour?");
    desk.presses("Enter");
    await eventually(async () =>
      expect(await decisions("--all")).toMatchObject([{ state: "dismissed", resolved: AT_TERMINAL }]),
    );
  });

  it("reads a default as one", async () => {
    const { project } = monitoredProject({ on_prompt: { action: "answer", wait: "4s", default: "Blue" } });
    const desk = await claudeAtDesk({ project, script: ASKS });
    await eventually(() => expect(desk.lastSent()).toContain("Blue (the default: nobody answered in time)"));
  });
});
