import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

/** The user has any time to answer. */
const ANSWERED = { on_prompt: { action: "answer", wait: "1h", hidden_wait: "1h" } };

/** A project whose hook asks where to deploy, and puts the choice into the command. */
async function deploying(monitor: object, options = ["staging", "production"]): Promise<Project> {
  const project = newProject({ decidesHere: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  const { asks } = await hookServer(({ choice, tool_input }) =>
    choice === undefined
      ? { action: "ask", reason: "Deploy where?", options }
      : {
          action: "modify",
          modified_data: { tool_input: { command: `${Object(tool_input).command} ${choice}` } },
        },
  );
  await project.configure([{ name: "where", ...asks, matcher: { events: ["PreToolUse"] } }]);
  await projectDaemon(project);
  return project;
}

async function openDecision(project: Project) {
  let found: Record<string, unknown> = {};
  await eventually(async () => {
    const { stdout } = await project.run(["decisions", "--json"]);
    const { decisions } = JSON.parse(stdout);
    expect(decisions).toHaveLength(1);
    [found] = decisions;
  });
  return found;
}

/** Runs the hook of a call that waits for the monitor. Returns what it prints. */
async function held(project: Project): Promise<string> {
  const { stdout } = await project.hook({ ...shellCall("deploy"), tool_use_id: undefined });
  return stdout;
}

describe("a hook that asks with options", () => {
  it("hides the dialog of the agent only for a short time while its user is there", async () => {
    const project = await deploying({ on_prompt: { action: "answer", wait: "1h", hidden_wait: "1s" } });
    expect(JSON.parse(await held(project))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "ask" },
    });
    const prompts = allSpooled(project.environment).filter(({ type }) => type === "agent:prompt");
    expect(prompts).toMatchObject([{ prompt_type: "question", hidden: true }]);
  });

  it("gets the choice back with its event", async () => {
    const project = await deploying(ANSWERED);
    const done = held(project);
    const { id, questions } = await openDecision(project);
    expect(questions).toEqual([
      {
        question: 'Deploy where? (Bash {"command":"deploy"})',
        options: [{ label: "staging" }, { label: "production" }, expect.objectContaining({ label: "deny" })],
      },
    ]);
    expect(await project.run(["answer", String(id), "staging"])).toMatchObject({ code: 0 });
    expect(JSON.parse(await done)).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "deploy staging" } },
    });
  });

  it("gets the label that was chosen, though it looks like a number", async () => {
    const project = await deploying(ANSWERED, ["3", "2", "1"]);
    const done = held(project);
    const { id } = await openDecision(project);
    expect(await project.run(["answer", String(id), "1"])).toMatchObject({ code: 0 });
    expect(JSON.parse(await done)).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "deploy 1" } },
    });
  });

  it("asks for a yes or no where the monitor does not answer, and names its options", async () => {
    const project = await deploying({ on_prompt: "escalate" });
    const { stdout } = await project.hook(shellCall("deploy"));
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "ask",
        permissionDecisionReason: expect.stringContaining(
          "Deploy where? (None of its options was chosen: staging, production.)",
        ),
      },
    });
  });
});
