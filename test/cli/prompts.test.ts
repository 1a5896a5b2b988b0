import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { deskOf } from "../monitor/support/waiting-hook.ts";
import { hookAgain } from "./support/hook-again.ts";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { COLOUR, QUESTION, spool, userConfig, waiting } from "./support/prompts.ts";

const PLAN = {
  hook_event_name: "PermissionRequest",
  tool_name: "ExitPlanMode",
  tool_input: { plan: "1. Look." },
};
const PERMISSION = { ...shellCall("ls"), hook_event_name: "PermissionRequest", tool_use_id: undefined };
const SILENT = { code: 0, stdout: "", stderr: "" };

/** Answers the last prompt of a project, as its daemon does when a human resolves the decision. */
async function answering(project: Project) {
  const desk = await deskOf(project.environment);
  return (given: unknown): boolean => {
    const prompt = spool(project).findLast(({ type }) => type === "agent:prompt");
    return desk.answer(String(prompt?.id), given);
  };
}

describe("tenterhook hook, when an agent waits for a human", () => {
  it("tells it, and the tool goes on", async () => {
    const project = newProject({ decidesHere: true });
    const message = { type: "assistant", message: { content: [{ type: "text", text: "Let me ask." }] } };
    const transcript_path = project.write("transcript.jsonl", JSON.stringify(message));
    expect(await project.hook({ ...QUESTION, transcript_path })).toEqual(SILENT);
    expect(await project.hook({ ...PERMISSION, agent_id: "a1" })).toEqual(SILENT);
    const idle = { hook_event_name: "Notification", notification_type: "idle_prompt", message: "Waiting." };
    expect(await project.hook(idle)).toEqual(SILENT);
    const common = { v: 1, id: expect.any(String), time: expect.any(String), type: "agent:prompt" };
    const from = { machine: expect.any(String), processes: expect.arrayContaining([expect.any(String)]) };
    const call_key = expect.any(String);
    const about = { ...common, session_id: "s1", cwd: project.cwd, host: "claude", from, call_key };
    const tool_use_id = "t1";
    expect(spool(project)).toEqual([
      {
        ...about,
        tool_use_id,
        agent_id: "s1",
        prompt_type: "question",
        question: [COLOUR],
        context: "Let me ask.",
      },
      {
        ...about,
        agent_id: "a1",
        subagent: "a1",
        prompt_type: "permission",
        question: { tool_name: "Bash", tool_input: { command: "ls" } },
      },
      { ...about, tool_use_id, agent_id: "s1", prompt_type: "idle", question: "Waiting." },
    ]);
    const folder = join(project.folder, "state/tenterhook/spool");
    expect([statSync(folder).mode & 0o777, statSync(join(folder, "spool.jsonl")).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  it("tells it once, however often the agent calls", async () => {
    const project = newProject({ decidesHere: true });
    expect(await project.hook(QUESTION)).toEqual(SILENT);
    expect(await hookAgain(project, QUESTION)).toEqual(SILENT);
    expect(spool(project).length).toBe(1);
  });

  it("tells nothing of a tool that asks nobody, of a call that a hook refused, or of a granted one", async () => {
    const project = newProject({ decidesHere: true });
    const rules = `
      tool equals "ExitPlanMode" -> deny("Not yet.")
      event equals "PermissionRequest" -> allow("It may.")`;
    const matcher = { events: ["PreToolUse", "PermissionRequest"] };
    await project.configure([{ name: "both", type: "inline", matcher, rules }]);
    expect((await project.hook(shellCall("ls"))).stdout).toBe("");
    expect((await project.hook(PLAN)).stdout).toContain("Not yet.");
    expect((await project.hook(PERMISSION)).stdout).toContain('"behavior":"allow"');
    expect(spool(project)).toEqual([]);
  });

  it("asks hooks on AgentPrompt, whose answer goes to the agent", async () => {
    const project = newProject({ decidesHere: true });
    const { asks } = await hookServer(() => ({ action: "answer", answer: "2" }));
    const matcher = { events: ["AgentPrompt"] };
    await project.configure([{ name: "answer", ...asks, matcher }]);
    expect(JSON.parse((await project.hook(QUESTION)).stdout).hookSpecificOutput).toEqual({
      hookEventName: "PermissionRequest",
      decision: {
        behavior: "allow",
        updatedInput: { questions: [COLOUR], answers: { "Which colour?": "Red" } },
      },
    });
    expect(spool(project)).toEqual([]);
    expect(project.journal().map(({ event, runs }) => ({ event, runs }))).toMatchObject([
      { event: { hook_event_name: "PermissionRequest", tool_name: "AskUserQuestion" }, runs: [] },
      {
        event: { hook_event_name: "AgentPrompt", prompt_type: "question", host: "claude" },
        runs: [{ name: "answer" }],
      },
    ]);
  });
});

describe("on_prompt: answer", () => {
  const HOLD = { monitor: { on_prompt: { action: "answer", wait: "10m" } } };

  it("gives a human all of the wait, however long hooks took before", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, { monitor: { on_prompt: { action: "answer", wait: "100ms", default: "accept" } } });
    const matcher = { events: ["PermissionRequest"] };
    const { asks } = await hookServer(() => wait(300, undefined));
    await project.configure([{ name: "slow", ...asks, matcher }]);
    await project.hook(PLAN);
    const [prompt] = spool(project);
    const given = Date.parse(String(prompt?.waits_until)) - Date.parse(String(prompt?.time));
    expect(given).toBeGreaterThan(0);
  });

  it("holds a question until a human has answered it", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, HOLD);
    const answer = await answering(project);
    const held = project.hook(QUESTION);
    await waiting(project);
    expect(Date.parse(String(spool(project)[0]?.waits_until)) - Date.now()).toBeGreaterThan(500_000);
    expect(answer("Red")).toBe(true);
    expect(JSON.parse((await held).stdout).hookSpecificOutput).toEqual({
      hookEventName: "PermissionRequest",
      decision: {
        behavior: "allow",
        updatedInput: { questions: [COLOUR], answers: { "Which colour?": "Red" } },
      },
    });
  });

  it("approves a plan with its input, without which Claude Code asks its user, too", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, HOLD);
    const answer = await answering(project);
    const plan = project.hook(PLAN);
    await waiting(project);
    answer("accept");
    expect(JSON.parse((await plan).stdout).hookSpecificOutput).toEqual({
      hookEventName: "PermissionRequest",
      decision: { behavior: "allow", updatedInput: PLAN.tool_input },
    });
  });

  it("refuses a plan with what is to be revised, and grants a permission", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, HOLD);
    const answer = await answering(project);
    const plan = project.hook(PLAN);
    await waiting(project);
    answer("Tests first.");
    expect(JSON.parse((await plan).stdout).hookSpecificOutput).toEqual({
      hookEventName: "PermissionRequest",
      decision: { behavior: "deny", message: "The plan was sent back by the user: Tests first." },
    });
    const permission = project.hook(PERMISSION);
    await waiting(project, 3);
    answer("allow");
    expect(JSON.parse((await permission).stdout).hookSpecificOutput).toEqual({
      hookEventName: "PermissionRequest",
      decision: { behavior: "allow" },
    });
  });

  it("answers what the configuration says when nobody does, and nothing without that", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, { monitor: { on_prompt: { action: "answer", wait: "50ms", default: "Blue" } } });
    expect((await project.hook(QUESTION)).stdout).toContain(
      '"answers":{"Which colour?":"Blue (the default: nobody answered in time)"}',
    );
    userConfig(project, { monitor: { on_prompt: { action: "answer", wait: "50ms" } } });
    expect(await project.hook(QUESTION)).toEqual(SILENT);
  });

  it("answers by what is asked, and tells the monitor that nobody did", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, {
      monitor: {
        on_prompt: { action: "answer", wait: "10m", default: "Blue" },
        decisions: {
          plan: { timeout: "50ms", default: "cancel" },
          permission: { timeout: "50ms", default: "allow" },
          question: { timeout: "50ms" },
        },
      },
    });
    expect((await project.hook(PLAN)).stdout).toContain(
      '"behavior":"deny","message":"The plan was refused, since nobody answered in time."',
    );
    expect((await project.hook(PERMISSION)).stdout).toContain('"behavior":"allow"');
    expect((await project.hook(QUESTION)).stdout).toContain(
      '"answers":{"Which colour?":"Blue (the default: nobody answered in time)"}',
    );
    const answers = spool(project).filter(({ type }) => type === "agent:answer");
    expect(answers).toMatchObject(
      ["cancel", "allow", "Blue"].map((answer) => ({
        answer,
        by: "Nobody answered in time.",
        channel: "timeout",
      })),
    );
  });

  it("an answer after the time is refused: the agent has gone on", async () => {
    const project = newProject({ decidesHere: true });
    const desk = await deskOf(project.environment);
    userConfig(project, { monitor: { on_prompt: { action: "answer", wait: "50ms" } } });
    expect(await project.hook(QUESTION)).toEqual(SILENT);
    const [{ id } = {}] = spool(project);
    expect(desk.answer(String(id), "Red")).toBe(false);
  });

  it("goes on unanswered, and says so, with an answer that is none to the question", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, HOLD);
    const answer = await answering(project);
    const held = project.hook(QUESTION);
    await waiting(project);
    answer(["Red", "Blue"]);
    expect(JSON.parse((await held).stdout)).toEqual({
      systemMessage: 'Ignored the answer ["Red","Blue"]: it does not match this question.',
    });
  });

  it("shows a question that no hook can answer as one for the terminal, and does not hold it", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, HOLD);
    const { tool_input } = QUESTION;
    const asks = {
      hook_event_name: "PreToolUse",
      turn_id: "t1",
      model: "gpt-5.5",
      tool_name: "request_user_input",
    };
    await project.hook({ ...asks, tool_input, transcript_path: null, permission_mode: "default" });
    expect(spool(project)).toMatchObject([{ host: "codex", only_at_terminal: true }]);
    expect(spool(project)[0]).not.toHaveProperty("waits_until");
  });

  it("is answered once", async () => {
    const project = newProject({ decidesHere: true });
    userConfig(project, HOLD);
    const answer = await answering(project);
    const held = project.hook(QUESTION);
    await waiting(project);
    expect([answer("1"), answer("2")]).toEqual([true, false]);
    expect((await held).stdout).toContain("Blue");
  });

  it("does not count in a project's own configuration", async () => {
    const project = newProject({ decidesHere: true });
    project.write(".tenterhook/hooks.yaml", stringify(HOLD));
    await project.run(["trust", "--yes"]);
    expect(await project.hook(QUESTION)).toEqual(SILENT);
  });
});
