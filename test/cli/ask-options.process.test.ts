import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const TERMINAL = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));

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
  it("hides the dialog of the agent only for a short time while its user is there", {
    timeout: 90_000,
  }, async () => {
    const project = await deploying({ on_prompt: { action: "answer", wait: "1h", hidden_wait: "1s" } });
    expect(JSON.parse(await held(project))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "ask" },
    });
    const prompts = allSpooled(project.environment).filter(({ type }) => type === "agent:prompt");
    expect(prompts).toMatchObject([{ prompt_type: "question", hidden: true }]);
  });

  it("gets the choice back in its payload", { timeout: 90_000 }, async () => {
    const project = await deploying({ on_prompt: "answer" });
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

  it("gets the label that was chosen, though it looks like a number", { timeout: 90_000 }, async () => {
    const project = await deploying({ on_prompt: "answer" }, ["3", "2", "1"]);
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
    const typed = [
      ["> \u001b[3G", "2\r"],
      ["> \u001b[3G", "y\r"],
    ];
    const line = [process.execPath, CLI, "run", "Go.", "--model", "scripted:script.yaml"];
    const child = spawn("python3", [TERMINAL, JSON.stringify(typed), ...line], {
      cwd: project.cwd,
      env: { ...project.environment, NO_COLOR: "1", TERM: "xterm" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [shown] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(stripVTControlCharacters(shown)).toMatch(/ 2 {2}production.*echo production.*\| production\n/s);
  });
});
