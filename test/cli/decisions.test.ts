import { describe, expect, it } from "vitest";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import type { Project } from "./support/project.ts";
import { json, QUESTION, states, watchedProject } from "./support/watched-project.ts";

/** What a hook with this payload says once it is decided. */
const holding = async (project: Project, payload: object) =>
  JSON.parse((await project.hook({ tool_use_id: undefined, ...payload })).stdout);

describe("tenterhook inbox", () => {
  it("shows what a held hook asks, and the answer travels back through it", async () => {
    const project = watchedProject({ on_prompt: { action: "answer", wait: "5m" } });
    await projectDaemon(project);
    const done = holding(project, QUESTION);
    await eventually(async () => expect(await states(project)).toEqual({ s1: "prompting" }));
    const { decisions } = await json(project, "decisions");
    expect(decisions).toEqual([
      expect.objectContaining({
        source: "question",
        state: "open",
        questions: QUESTION.tool_input.questions,
      }),
    ]);
    const [{ id }] = decisions;
    const wrong = await project.run(["answer", id, "3"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Choose one of 1 Blue, 2 Red.") });
    expect(await project.run(["answer", id.slice(0, 8), "2"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Given to .+ after \d+\.\d s\.\n$/),
    });
    expect(await done).toMatchObject({
      hookSpecificOutput: {
        decision: { behavior: "allow", updatedInput: { answers: { "Which colour?": "Red" } } },
      },
    });
    const again = await project.run(["answer", id, "1"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("Too late: answered with ") });
    expect(await json(project, "inbox", id)).toMatchObject({
      state: "resolved",
      resolved: { by: expect.any(String), channel: "cli", answer: "Red" },
    });
    expect(await states(project)).toEqual({ s1: "working" });
  });

  it("never reads a chosen label as a number", async () => {
    const project = watchedProject({ on_prompt: { action: "answer", wait: "5m" } });
    await projectDaemon(project);
    const options = [{ label: "8080" }, { label: "2" }, { label: "3000" }];
    const questions = [{ question: "Which port?", options }];
    const done = holding(project, { ...QUESTION, tool_input: { questions } });
    await eventually(async () => expect(await states(project)).toEqual({ s1: "prompting" }));
    const [{ id }] = (await json(project, "decisions")).decisions;
    await project.run(["answer", id, "2"]);
    expect(await done).toMatchObject({
      hookSpecificOutput: { decision: { updatedInput: { answers: { "Which port?": "2" } } } },
    });
  });

  it("sends a plan back with words that never count as a yes", async () => {
    const project = watchedProject({ on_prompt: { action: "answer", wait: "5m" } });
    await projectDaemon(project);
    const plan = {
      hook_event_name: "PermissionRequest",
      tool_name: "ExitPlanMode",
      tool_input: { plan: "1. Look." },
    };
    const done = holding(project, plan);
    await eventually(async () => expect(await states(project)).toEqual({ s1: "prompting" }));
    const [{ id }] = (await json(project, "decisions")).decisions;
    await project.run(["answer", id, "revise", "-m", "ok"]);
    expect(await done).toMatchObject({
      hookSpecificOutput: {
        decision: {
          behavior: "deny",
          message: expect.stringMatching(/^The plan was sent back by .*: ok$/),
        },
      },
    });
  });

  it("says that an agent asks in its own terminal when no hook waits", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    await project.hook(QUESTION);
    const [{ id }] = (await json(project, "decisions")).decisions;
    const { stdout } = await project.run(["inbox", id]);
    expect(stdout).toMatch(/^claude in \S+ asks a question/);
    expect(stdout).toContain("Only its own terminal takes one");
    expect(await project.run(["answer", id, "1"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(" waits for this answer."),
    });
  });
});
