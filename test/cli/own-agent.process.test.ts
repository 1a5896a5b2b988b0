import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { agentProcess } from "../../src/monitor/report/agent-process.ts";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import type { AgentStatus, HumanRequest } from "../../src/shared/monitor/monitor.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, stopDaemonAfterTest } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const TERMINAL = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));

beforeAll(mustBeBuilt);

const touch = { name: "Bash", input: { command: "touch made" } };
const question = {
  name: "AskUserQuestion",
  input: { questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }] },
};

/** A project whose user has the monitor on, with an agent that makes these calls. */
function configured(monitor: object, ...calls: readonly object[]): Project {
  const project = newProject();
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  project.write(
    "script.yaml",
    stringify([...calls.map((call) => ({ tool_calls: [call] })), { text: "Done." }]),
  );
  return project;
}

/** The same, with a daemon that runs. */
async function watched(monitor: object, ...calls: readonly object[]): Promise<Project> {
  const project = configured(monitor, ...calls);
  await projectDaemon(project);
  return project;
}

const RUN = ["run", "Go.", "--model", "scripted:script.yaml"];

/** Our agent at work, headless or on a terminal where somebody types. */
function atWork({ cwd, environment }: Project, args = RUN, typed?: readonly (readonly [string, string])[]) {
  if (typed !== undefined) needs("python3");
  const line = [process.execPath, CLI, ...args];
  const [program = "", ...rest] =
    typed === undefined ? line : ["python3", TERMINAL, JSON.stringify(typed), ...line];
  const env = { ...environment, NO_COLOR: "1", TERM: "xterm", TENTERHOOK_AGENT_ID: "worker" };
  const child = spawn(program, rest, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const done = Promise.all([text(child.stdout), once(child, "close")]).then(([shown, [code]]) => ({
    code,
    shown: stripVTControlCharacters(shown),
  }));
  return { child, done };
}

async function json(project: Project, ...args: readonly string[]) {
  const { stdout, stderr, code } = await project.run([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function agentOf(project: Project): Promise<AgentStatus | undefined> {
  const { agents } = await json(project, "status");
  return agents[0];
}

async function decisionOf(project: Project): Promise<HumanRequest> {
  const { decisions } = await json(project, "decisions", "list", "--all");
  expect(decisions).toHaveLength(1);
  return decisions[0];
}

/** The decision that the agent waits for. */
async function asked(project: Project): Promise<HumanRequest> {
  await eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "prompting" }));
  return decisionOf(project);
}

const WHY = expect.stringMatching(/does not wait for this answer|a message does not answer it/);

const isMade = ({ cwd }: Project): boolean => existsSync(join(cwd, "made"));

describe("our own agent in the monitor", () => {
  it("waits for a permission, which the monitor gives, and goes on", async () => {
    const project = configured({ on_prompt: "answer" }, touch);
    // `status` starts the daemon.
    stopDaemonAfterTest(project);
    const { child, done } = atWork(project);
    const decision = await asked(project);
    expect(await agentOf(project)).toMatchObject({
      agent_id: "worker",
      host: "tenterhook",
      prompt_type: "permission",
      pid: child.pid,
      cwd: project.cwd,
    });
    expect(decision).toMatchObject({ source: "permission", state: "open" });
    expect(decision.context).toContain("Bash: touch made");
    expect(isMade(project)).toBe(false);
    const { stdout } = await project.run(["decisions", "resolve", decision.id, "allow"]);
    expect(stdout).toMatch(/^Taken by the waiting hook after /);
    expect(await done).toMatchObject({ code: 0 });
    expect(isMade(project)).toBe(true);
    expect(await agentOf(project)).toMatchObject({ state: "exited" });
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { channel: "cli", answer: { allow: true } },
    });
  });

  it("asks a question with options, and gets the chosen one", async () => {
    const project = await watched({ on_prompt: "answer" }, question);
    const { done } = atWork(project);
    const { id, questions } = await asked(project);
    expect(questions).toEqual([expect.objectContaining({ question: "Which colour?" })]);
    expect(await json(project, "decisions", "resolve", id, "2")).toMatchObject({ state: "resolved" });
    expect(await done).toMatchObject({ code: 0, shown: expect.stringContaining("Blue") });
  });

  it("that is killed is gone, and what it asked is dismissed", async () => {
    const project = await watched({ on_prompt: "answer" }, touch);
    const { child, done } = atWork(project);
    await asked(project);
    child.kill("SIGKILL");
    await done;
    await eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "gone" }));
    expect(await decisionOf(project)).toMatchObject({ state: "dismissed" });
  });

  it("goes on with the default when nobody answers in time, and the record says so", async () => {
    const project = await watched({ on_prompt: { action: "answer", wait: "1s", default: "deny" } }, touch);
    expect(await atWork(project).done).toMatchObject({
      code: 0,
      shown: expect.stringContaining("nobody answered within 1 second, and the default is no"),
    });
    expect(isMade(project)).toBe(false);
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { by: "Nobody answered within 1 second.", channel: "timeout", answer: false },
    });
  });

  it("that is suspended waits in the monitor, and is answered when it continues", async () => {
    const project = await watched({ on_prompt: "escalate" }, touch);
    await atWork(project, [...RUN, "--suspend"]).done;
    const { session_id = "", ...decision } = await asked(project);
    expect(decision).toMatchObject({ source: "permission", state: "open", suspended: true });
    await atWork(project, ["resume", session_id, "yes"]).done;
    expect(isMade(project)).toBe(true);
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { channel: "agent", answer: { allow: true } },
    });
    expect(await agentOf(project)).toMatchObject({ state: "exited" });
  });
});

describe("a suspended agent", () => {
  it("is continued by an answer in the monitor", async () => {
    const project = await watched({ on_prompt: "escalate" }, touch);
    await atWork(project, [...RUN, "--suspend"]).done;
    const { id } = await asked(project);
    expect(await json(project, "decisions", "resolve", id, "allow")).toMatchObject({ state: "resolved" });
    await eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "exited" }));
    expect(isMade(project)).toBe(true);
    expect(await decisionOf(project)).toMatchObject({
      state: "resolved",
      resolved: { channel: "cli", answer: { allow: true } },
    });
  });
});

describe("an answer to a suspended agent", () => {
  const suspended = async (...calls: readonly object[]) => {
    const project = await watched({ on_prompt: "escalate" }, ...calls);
    await atWork(project, [...RUN, "--suspend"]).done;
    return { project, ...(await asked(project)) };
  };
  const exited = (project: Project) =>
    eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "exited" }));
  const shown = async (project: Project, session: string): Promise<string> =>
    (await project.run(["sessions", "show", session])).stdout;

  it("that denies stays a denial, whatever its message says", async () => {
    const { project, id, session_id = "" } = await suspended(touch);
    await json(project, "decisions", "resolve", id, "deny", "-m", "ok");
    await exited(project);
    expect(isMade(project)).toBe(false);
    expect(await shown(project, session_id)).toContain("The user refused this call: ok");
  });

  it("gives each question its own answer; a label such as 3 is a label", async () => {
    const options = [{ label: "3" }, { label: "5" }, { label: "7" }];
    const questions = [
      { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] },
      { question: "How many?", options },
    ];
    const { project, id, session_id = "" } = await suspended({ ...question, input: { questions } });
    await json(project, "decisions", "resolve", id, "Blue", "1");
    await exited(project);
    const { messages } = await json(project, "sessions", "show", session_id);
    expect(JSON.stringify(messages)).toContain("Which colour?\\nBlue\\n\\nHow many?\\n3");
  });
});

it("an answer to a suspended agent whose process still runs is asked for again, not lost", async () => {
  const project = await watched({ on_prompt: "escalate" }, touch);
  await atWork(project, [...RUN, "--suspend"]).done;
  const { id } = await asked(project);
  const runsAs = (agent: object) =>
    appendToSpool({ type: "agent:seen", agent_id: "worker", ...agent }, project.environment);
  runsAs(agentProcess(process.pid));
  await json(project, "decisions", "resolve", id, "allow");
  let again: HumanRequest | undefined;
  await eventually(async () => {
    const { decisions } = await json(project, "decisions", "list");
    [again] = decisions;
    expect(again?.context).toMatch(/^The process of worker is running, so the answer can't reach it/);
  });
  expect(isMade(project)).toBe(false);
  const { decisions } = await json(project, "decisions", "list", "--all");
  expect(decisions).toContainEqual(expect.objectContaining({ id, state: "dismissed" }));
  const ended = spawn("true");
  await once(ended, "exit");
  runsAs({ agent_pid: ended.pid });
  await json(project, "decisions", "resolve", again?.id ?? "", "allow");
  await eventually(() => expect(isMade(project)).toBe(true));
});

describe("what the monitor has for a suspended agent that waits for another call now", () => {
  const first = { id: "first", name: "Bash", input: { command: "touch first" } };

  it.each([
    ["an answer to the earlier call", { answer: { tool_use_id: "first", approval: { allow: true } } }],
    ["a message that reads like a yes", { message: "yes" }],
  ])("is not taken for its answer: %s", async (_, given) => {
    const project = configured({ on_prompt: "escalate" }, first, { ...touch, id: "second" });
    const daemon = await projectDaemon(project);
    await atWork(project, [...RUN, "--suspend"]).done;
    const { id, session_id = "" } = await asked(project);
    await atWork(project, ["resume", session_id, "yes"]).done;
    await json(project, "status");
    await daemon.close();
    // The daemon has recorded what it does, but was stopped before it did it.
    const store = await sqliteMonitor(daemonPlace(project.environment).database);
    const action = { type: "agent:action", action: "resume", asked: true, decision: id, ...given };
    const about = {
      v: 1,
      id: "late",
      time: new Date().toISOString(),
      agent_id: "worker",
      session_id,
    } as const;
    await takeIn(store, [{ ...about, ...action }]);
    await store.close();
    await projectDaemon(project);
    await eventually(async () => {
      const { decisions } = await json(project, "decisions", "list", "--all");
      expect(decisions).toContainEqual(
        expect.objectContaining({ id, state: "dismissed", resolved: expect.objectContaining({ by: WHY }) }),
      );
    });
    expect(isMade(project)).toBe(false);
    const agent = await agentOf(project);
    expect(agent).toMatchObject({ state: "prompting", suspended: true });
    expect(agent).not.toHaveProperty("pending");
    const { decisions } = await json(project, "decisions", "list");
    expect(decisions).toEqual([expect.objectContaining({ call: { tool_use_id: "second" } })]);
  });
});

describe("a question on the agent's own terminal", () => {
  it("is closed when the monitor answers first", async () => {
    const project = await watched({ on_prompt: "escalate" }, touch);
    const { done } = atWork(project, RUN, []);
    const { id } = await asked(project);
    await json(project, "decisions", "resolve", id, "allow");
    const { code, shown } = await done;
    expect(code).toBe(0);
    expect(shown).toContain("Answered elsewhere: ");
    expect(isMade(project)).toBe(true);
  });

  it("closes the decision when it is answered first", async () => {
    const project = await watched({ on_prompt: "escalate" }, touch);
    expect(await atWork(project, RUN, [["refuse and say why", "y"]]).done).toMatchObject({ code: 0 });
    const decision = await decisionOf(project);
    expect(decision).toMatchObject({ state: "resolved", resolved: { channel: "agent", answer: true } });
    expect(await project.run(["decisions", "resolve", decision.id, "deny"])).toMatchObject({
      stderr: expect.stringContaining("decision_closed"),
    });
  });
});
