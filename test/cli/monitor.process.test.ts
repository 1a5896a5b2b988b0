import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { columns } from "../../src/cli/command-line/screen/text.ts";
import { TenterhookError } from "../../src/core/base/errors.ts";
import { daemonPlace } from "../../src/monitor/daemon/place.ts";
import { appendToSpool } from "../../src/monitor/spool.ts";
import { sqliteMonitor } from "../../src/stores/monitor/sqlite-monitor.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject, type Project, stopDaemonAfterTest } from "./support/project.ts";
import { CLI, startCli } from "./support/run-cli.ts";

/** A project whose user has the monitor on; its daemon ends with the test. */
function watchedProject(monitor: object): Project {
  const project = newProject({ cached: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  stopDaemonAfterTest(project);
  return project;
}

async function json(project: Project, ...args: readonly string[]) {
  const { stdout, stderr, code } = await project.run([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const states = async (project: Project): Promise<Readonly<Record<string, string>>> => {
  const { agents }: { agents: readonly { agent_id: string; state: string }[] } = await json(
    project,
    "status",
  );
  return Object.fromEntries(agents.map(({ agent_id, state }) => [agent_id, state]));
};

/** What a terminal shows of `status --watch`, and how that ends. Each step waits for a text and types another one. */
async function watchedStatus({ cwd, environment }: Project, ...steps: readonly (readonly string[])[]) {
  const line = 'stty cols 80 rows 12; exec "$0" "$@"';
  const program = ["sh", "-c", line, process.execPath, CLI, "status", "--watch"];
  const child = spawn("python3", [TERMINAL, JSON.stringify(steps), ...program], { cwd, env: environment });
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { shown, code };
}

const TERMINAL = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));

const QUESTION = {
  hook_event_name: "PreToolUse",
  tool_name: "AskUserQuestion",
  tool_input: {
    questions: [{ question: "Which colour?", options: [{ label: "Blue" }, { label: "Red" }] }],
  },
};

/** `tenterhook hook` with a payload, under way. */
function holding({ cwd, environment }: Project, payload: object) {
  const hook = spawn(process.execPath, [CLI, "hook"], { cwd, env: environment });
  hook.stdin.end(JSON.stringify({ session_id: "s1", cwd, ...payload }));
  return { done: Promise.all([text(hook.stdout), once(hook, "exit")]).then(([said]) => JSON.parse(said)) };
}

describe("tenterhook status", () => {
  it("starts the daemon, and shows each agent's state as its hooks report it", {
    timeout: 90_000,
  }, async () => {
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
    expect(await states(project)).toEqual({ s1: "waiting", s2: "failed" });
    await project.hook({ hook_event_name: "SessionEnd", reason: "exit" });
    const { stdout } = await project.start(["status"]);
    expect(stdout).toMatch(/^AGENT +HOST +STATE/);
    expect(stdout).toMatch(/s2 +claude +failed \(rate limited\)/);
    expect(stdout).toMatch(/s1 +claude +exited/);
    expect(stdout).toContain("2 agents, 0 waiting for a human.");
  });

  it("fits on a narrow and low screen, with those that need somebody", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    const report = (type: string, agent_id: string, more: object) =>
      appendToSpool({ type, agent_id, host: "claude", cwd: project.cwd, ...more }, project.environment);
    for (let count = 10; count < 40; count += 1) report("agent:turn", `worker-${count}`, {});
    const tool_input = { command: "npm publish --tag 漢字 && echo published to everybody" };
    report("agent:prompt", "日本語エージェント", {
      prompt_type: "permission",
      question: { tool_name: "Bash", tool_input },
    });
    await json(project, "status");
    const { shown } = await watchedStatus(project, ["waiting for a human", "\u0003"]);
    const rows = shown.split("\n").map((row) => stripVTControlCharacters(row).replace("^C", "").trimEnd());
    expect(rows.slice(0, 12)).toEqual([
      expect.stringMatching(/^AGENT +STATE +SINCE +FOLDER +WHAT$/),
      expect.stringMatching(/^日本語エージェント +prompting \(permission\) +\d+s +[.] +Bash: npm publi.*…$/),
      ...new Array(7).fill(expect.stringMatching(/^worker-\d\d +working/)),
      "… and 23 more agents",
      "",
      expect.stringMatching(/^31 agents, 1 waiting for a human/),
    ]);
    expect(Math.max(...rows.slice(0, 12).map((row) => columns(row)))).toBeLessThanOrEqual(80);
  });

  it.each(["\u0003", "SIGTERM"])(
    "watches on a screen of its own and gives the terminal back after %j",
    async (end) => {
      const project = watchedProject({});
      await projectDaemon(project);
      appendToSpool({ type: "agent:turn", agent_id: "w1" }, project.environment);
      const { shown, code } = await watchedStatus(project, ["waiting for a human", end]);
      const [before, after] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
      expect([shown.slice(0, before.length), shown.slice(-after.length)]).toEqual([before, after]);
      expect(shown).toContain("w1");
      expect(code).toBe(end === "SIGTERM" ? 143 : 130);
    },
  );

  it("goes on watching when the daemon is started again", async () => {
    const project = watchedProject({});
    const daemon = await projectDaemon(project);
    appendToSpool({ type: "agent:turn", agent_id: "w1" }, project.environment);
    const [begun, lost] = ["begun", "lost"].map((name) => join(project.folder, name));
    const watching = watchedStatus(
      project,
      ["w1", `touch ${begun}`],
      ["tenterhook monitor start starts the monitor.", `touch ${lost}`],
      ["w2", "\u0003"],
    );
    await eventually(() => expect(existsSync(String(begun))).toBe(true), 30_000);
    await daemon.close();
    await eventually(() => expect(existsSync(String(lost))).toBe(true), 30_000);
    appendToSpool({ type: "agent:turn", agent_id: "w2" }, project.environment);
    await projectDaemon(project);
    expect((await watching).code).toBe(130);
  });

  it("says while it watches when what hooks report can't be stored", { timeout: 60_000 }, async () => {
    const project = watchedProject({});
    let isFull = false;
    await projectDaemon(project, {
      openStore: async (file) => {
        const store = await sqliteMonitor(file);
        const full = async () => Promise.reject(new TenterhookError("store_failed", "The disk is full."));
        return { ...store, update: (work) => (isFull ? full() : store.update(work)) };
      },
    });
    appendToSpool({ type: "agent:turn", agent_id: "w1" }, project.environment);
    await json(project, "status");
    isFull = true;
    appendToSpool({ type: "agent:turn", agent_id: "w2" }, project.environment);
    const { shown, code } = await watchedStatus(project, ["The disk is full.", "\u0003"]);
    expect(stripVTControlCharacters(shown)).toContain("What hooks report can't be stored");
    expect(code).toBe(130);
  });

  it("says what to do when no agent was seen", async () => {
    const project = watchedProject({});
    await projectDaemon(project);
    const { stdout } = await project.run(["status"]);
    expect(stdout).toBe(
      "No agent was seen. Agents report here when your configuration has a monitor section.\n",
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

describe("tenterhook decisions", () => {
  it("shows what a held hook asks, and the answer travels back through it", { timeout: 90_000 }, async () => {
    const project = watchedProject({ on_prompt: { action: "answer", wait: "5m" } });
    await projectDaemon(project);
    const { done } = holding(project, QUESTION);
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
    const wrong = await project.run(["decisions", "resolve", id, "3"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Choose one of 1 Blue, 2 Red.") });
    expect(await project.start(["decisions", "resolve", id.slice(0, 8), "2"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Answered\. /),
    });
    expect(await done).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "allow",
        updatedInput: { answers: { "Which colour?": "Red" } },
      },
    });
    const again = await project.run(["decisions", "resolve", id, "1"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("decision_closed") });
    expect(await json(project, "decisions", "show", id)).toMatchObject({
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
    const { done } = holding(project, { ...QUESTION, tool_input: { questions } });
    await eventually(async () => expect(await states(project)).toEqual({ s1: "prompting" }));
    const [{ id }] = (await json(project, "decisions")).decisions;
    await project.run(["decisions", "resolve", id, "2"]);
    expect(await done).toMatchObject({
      hookSpecificOutput: { updatedInput: { answers: { "Which port?": "2" } } },
    });
  });

  it("sends a plan back with words that never count as a yes", async () => {
    const project = watchedProject({ on_prompt: { action: "answer", wait: "5m" } });
    await projectDaemon(project);
    const plan = {
      hook_event_name: "PreToolUse",
      tool_name: "ExitPlanMode",
      tool_input: { plan: "1. Look." },
    };
    const { done } = holding(project, plan);
    await eventually(async () => expect(await states(project)).toEqual({ s1: "prompting" }));
    const [{ id }] = (await json(project, "decisions")).decisions;
    await project.run(["decisions", "resolve", id, "revise", "-m", "ok"]);
    expect(await done).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "ok" },
    });
  });

  it("says that an agent asks in its own terminal when no hook waits", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await projectDaemon(project);
    await project.hook(QUESTION);
    const { stdout } = await project.run(["decisions"]);
    expect(stdout).toContain("s1 asks a question");
    expect(stdout).toContain("in the agent's own terminal");
    const [{ id }] = (await json(project, "decisions")).decisions;
    expect(await project.run(["decisions", "resolve", id, "1"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No hook of s1 waits for this answer."),
    });
  });
});

describe("tenterhook monitor", () => {
  it("starts once, says where it is, and stops", async () => {
    const project = watchedProject({});
    expect(await json(project, "monitor", "status")).toEqual({ running: false });
    expect(await project.run(["monitor", "status", "please", "now"])).toMatchObject({ code: 2 });
    const { stdout: first } = await project.start(["monitor", "start", "--json"]);
    const started = JSON.parse(first);
    expect(started).toMatchObject({
      running: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(await json(project, "monitor", "start")).toEqual(started);
    const second = await project.start(["monitor", "start", "--foreground"]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("Another process") });
    expect(await json(project, "monitor", "stop")).toEqual({ stopped: true });
    expect(isAlive(started.pid)).toBe(false);
    const { stdout } = await project.run(["monitor", "logs"]);
    expect(stdout).toMatch(/listening at .*\n.*Another process.*\n(?:.*\n)*.*stopped\n$/);
  });

  it("comes back with everything after kill -9", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await project.hook(QUESTION);
    const { pid } = await json(project, "monitor", "start");
    process.kill(pid, "SIGKILL");
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await project.hook({ hook_event_name: "UserPromptSubmit", session_id: "s2", prompt: "Go." });
    expect(await states(project)).toEqual({ s1: "prompting", s2: "working" });
    expect((await json(project, "decisions")).decisions).toHaveLength(1);
  });

  it("says why it can't start, and what to do", async () => {
    const project = watchedProject({});
    const file = daemonPlace(project.environment).database;
    project.write(relative(project.cwd, file), "This is no database. ".repeat(1000));
    expect(await project.start(["status"])).toMatchObject({
      code: 1,
      stderr: `monitor_unreachable: The monitor's daemon did not start. ${file} is damaged: file is not a database. Move it away: a new one is created. What was only in it is lost.
  tenterhook monitor logs says why. Hooks decide without it.
`,
    });
    const { stdout } = await project.run(["monitor", "logs"]);
    expect(stdout).toMatch(/^\S+Z failed: store_failed: \S+ is damaged: .*\n$/);
  });

  it.runIf(process.platform === "linux")(
    "says that the daemon has ended when it could not even write its log",
    { timeout: 60_000 },
    async () => {
      const project = newProject({ cached: true });
      // Nobody can create a folder there, not even root.
      const environment = { ...project.environment, XDG_STATE_HOME: "/proc/nope" };
      const { folder, log } = daemonPlace(environment);
      expect(await startCli(project.cwd, environment, ["monitor", "start"])).toEqual({
        code: 1,
        stdout: "",
        stderr: `monitor_unreachable: The monitor's daemon did not start. It ended with 1 and wrote no reason to ${log}.
  Make room on the disk, make ${folder} writable for this user, or set XDG_STATE_HOME to another folder. tenterhook monitor start --foreground shows the error.
`,
      });
    },
  );

  it("names an unknown action and the nearest", async () => {
    const project = newProject();
    expect(await project.run(["monitor", "stat"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no action "stat". Did you mean "start"'),
    });
  });
});
