import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually } from "../support/processes.ts";
import { inTerminal } from "../terminal/support/tmux.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

beforeAll(mustBeBuilt);

/** Asks where to deploy, and puts the choice into the command. */
const where = (options: readonly string[]): string => `
let payload = "";
process.stdin.on("data", (piece) => { payload += piece; });
process.stdin.on("end", () => {
  const { choice, tool_input } = JSON.parse(payload);
  console.log(JSON.stringify(
    choice === undefined
      ? { action: "ask", reason: "Deploy where?", options: ${JSON.stringify(options)} }
      : { action: "modify", modified_data: { tool_input: { command: tool_input.command + " " + choice } } },
  ));
});`;

/** The user has any time to answer. */
const ANSWERED = { on_prompt: { action: "answer", wait: "1h", hidden_wait: "1h" } };

/** A project whose command hook asks with options. */
async function deploying(monitor: object, options = ["staging", "production"]): Promise<Project> {
  const project = newProject({ cached: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  const program = project.write("where.mjs", where(options));
  const hook = {
    name: "where",
    type: "command",
    command: [process.execPath, program],
    matcher: { events: ["PreToolUse"] },
  };
  await project.configure([hook]);
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

describe("a command hook that asks with options", () => {
  it("hides the dialog of the agent only for a short time while its user is there", async () => {
    const project = await deploying({ on_prompt: { action: "answer", wait: "1h", hidden_wait: "1s" } });
    expect(JSON.parse(await held(project))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "ask" },
    });
    const prompts = allSpooled(project.environment).filter(({ type }) => type === "agent:prompt");
    expect(prompts).toMatchObject([{ prompt_type: "question", hidden: true }]);
  });

  it("gets the choice back in its payload", async () => {
    const project = await deploying(ANSWERED);
    const done = held(project);
    const { id, questions } = await openDecision(project);
    expect(questions).toEqual([
      {
        question: 'Deploy where? (Bash {"command":"deploy"})',
        options: [{ label: "staging" }, { label: "production" }, expect.objectContaining({ label: "deny" })],
      },
    ]);
    expect(await project.run(["decisions", "resolve", String(id), "staging"])).toMatchObject({ code: 0 });
    expect(JSON.parse(await done)).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "deploy staging" } },
    });
  });

  it("gets the label that was chosen, though it looks like a number", async () => {
    const project = await deploying(ANSWERED, ["3", "2", "1"]);
    const done = held(project);
    const { id } = await openDecision(project);
    expect(await project.run(["decisions", "resolve", String(id), "1"])).toMatchObject({ code: 0 });
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

  it("offers them on the terminal of our own agent", async () => {
    const project = await deploying({});
    const call = { name: "Bash", input: { command: "echo" } };
    project.write("script.yaml", stringify([{ tool_calls: [call] }, { text: "Done." }]));
    const terminal = inTerminal(project, ["run", "Go.", "--model", "scripted:script.yaml"]);
    await terminal.shows("2  production");
    terminal.keys("2", "Enter");
    await terminal.shows(/echo production[\s\S]*refuse and say why/);
    terminal.keys("y");
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.history()).toMatch(/Bash {2}echo production[\s\S]*\n {4}production\n/);
  });
});
