import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stringify } from "yaml";
import { carryOut } from "../../../src/cli/commands/monitor/actions/carry-out.ts";
import type { AgentStatus } from "../../../src/core/contracts/monitor.ts";
import { monitorClient } from "../../../src/monitor/client.ts";
import { allSpooled, appendToSpool } from "../../../src/monitor/spool.ts";
import { ACTION_ENDED } from "../../../src/monitor/triggers/actions.ts";
import { newProject } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { eventually, processesNamed, processesWith } from "../../support/processes.ts";
import { runs } from "../../support/soak.ts";
import { projectDaemon } from "../support/test-daemon.ts";

/**
 * Stands in for an agent: notes the arguments, the variables and the prompt that it was started with, in one go, since
 * several may do so at once.
 */
const AGENT = `#!/bin/sh
notes=$(echo "\${0##*/} $*"; echo "$TENTERHOOK_AGENT_ID"; cat; echo; echo .)
printf %s "\${notes%.}" >> "$TENTERHOOK_TEST_NOTES"
echo "I go on."
`;
/** The same agent, which runs until its notes are removed. */
const RUNNING_AGENT = `${AGENT}while [ -e "$TENTERHOOK_TEST_NOTES" ]; do sleep 0.2; done\n`;

/** A user with a monitor, and with programs in place of agents. */
function watched(monitor: object, programs: readonly string[] = ["claude"], agent = AGENT) {
  const project = newProject();
  const { folder, environment } = project;
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of programs) {
    writeFileSync(join(bin, name), agent);
    chmodSync(join(bin, name), 0o755);
  }
  const notes = join(folder, "notes");
  Object.assign(environment, { PATH: `${bin}:${environment.PATH}`, TENTERHOOK_TEST_NOTES: notes });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  const client = monitorClient(environment);
  const status = async (id: string): Promise<AgentStatus | undefined> =>
    (await client.agents()).find(({ agent_id }) => agent_id === id);
  return {
    ...project,
    client,
    status,
    notes: () => (existsSync(notes) ? readFileSync(notes, "utf8") : ""),
    /** Starts a daemon that carries out its actions in processes of their own. */
    startWithProcesses: () => projectDaemon(project),
    /** Starts a daemon that carries out its actions in this process: a fraction of the work. */
    start: () => {
      const actions = new AbortController();
      const underWay: Promise<unknown>[] = [];
      onTestFinished(async () => {
        actions.abort();
        await Promise.all(underWay);
      });
      return projectDaemon(project, {
        carryOut: (id) => {
          underWay.push(carryOut({ names: [id], environment, signal: actions.signal }));
        },
      });
    },
    report: (type: string, fields: object = {}) =>
      appendToSpool(
        { agent_id: "worker", session_id: "s1", host: "claude", cwd: project.cwd, ...fields, type },
        environment,
      ),
  };
}

const openDecision = async ({ client }: Pick<ReturnType<typeof watched>, "client">) => {
  let found: Awaited<ReturnType<typeof client.decisions>>[number] | undefined;
  await eventually(async () => {
    [found] = await client.decisions("open");
    expect(found).toBeDefined();
  });
  if (found === undefined) throw new Error("no decision");
  return found;
};

describe("an agent whose process is gone", () => {
  it.each([
    ["claude", "claude -p --resume s1"],
    ["codex", "codex exec resume s1 -"],
    ["gemini", "gemini --resume s1"],
  ])("is resumed as %s continues a session", async (host, line) => {
    const resume = { on_dead: { action: "resume", message: "Go on, please." } };
    const monitor = watched(resume, [host], RUNNING_AGENT);
    onTestFinished(() => rmSync(join(monitor.folder, "notes")));
    monitor.report("agent:turn", { host });
    monitor.report("agent:gone", { host });
    await (host === "claude" ? monitor.startWithProcesses() : monitor.start());
    await eventually(() => expect(monitor.notes()).toBe(`${line}\nworker\nGo on, please.\n`));
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({
        state: "starting",
        attempts: { on_dead: { count: 1 } },
      });
    });
    const { pending } = (await monitor.status("worker")) ?? {};
    expect(pending).toBeUndefined();
  });

  it("is resumed by tenterhook resume when it is Tenterhook's own", async () => {
    const monitor = watched({ on_dead: { action: "resume", message: "--go on" } });
    monitor.report("agent:gone", { host: "tenterhook", session_id: "no-such-session" });
    await monitor.startWithProcesses();
    const folder = join(monitor.folder, "state/tenterhook/monitor/resumed");
    await eventually(() => {
      const [log = ""] = readdirSync(folder).filter((name) => name.endsWith(".log"));
      expect(readFileSync(join(folder, log), "utf8")).toContain("unknown_session");
    });
  });

  it("writes to a file that only its user can read", async () => {
    const monitor = watched({ on_dead: "resume" });
    monitor.report("agent:gone");
    await monitor.start();
    const folder = join(monitor.folder, "state/tenterhook/monitor/resumed");
    await eventually(() => expect(monitor.notes()).toContain("worker"));
    const [log = ""] = readdirSync(folder).filter((name) => name.endsWith(".log"));
    await eventually(() => expect(readFileSync(join(folder, log), "utf8")).toBe("I go on.\n"));
    expect((statSync(join(folder, log)).mode & 0o777).toString(8)).toBe("600");
  });

  it("is a human's matter when it can't be resumed, and the reason is shown", {
    timeout: 90_000,
  }, async () => {
    const monitor = watched({ on_dead: "resume" }, []);
    monitor.report("agent:gone", { host: "crush" });
    await monitor.start();
    expect(await openDecision(monitor)).toMatchObject({
      source: "dead",
      context: "Crush can't continue a session without a terminal.",
    });
  });

  it("is resumed when a human chooses it", async () => {
    const monitor = watched({ on_dead: "escalate" });
    monitor.report("agent:gone");
    await monitor.start();
    const { id } = await openDecision(monitor);
    await monitor.client.resolve(id, { choices: ["resume"], message: "Try the other door." });
    await eventually(() => expect(monitor.notes()).toContain("worker\nTry the other door.\n"));
  });
});

it("an agent that fails and then exits is resumed, whatever is seen first", async () => {
  const monitor = watched({ on_error: { action: "nudge", message: "Try again." } });
  const failing = spawn("sleep", ["600"]);
  onTestFinished(() => void failing.kill());
  monitor.report("agent:error", { error_type: "429", agent_pid: failing.pid });
  // It has any time to exit.
  vi.spyOn(Date, "now").mockReturnValue(Date.now());
  await monitor.start();
  await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeDefined());
  failing.kill("SIGKILL");
  await eventually(() => expect(monitor.notes()).toContain("worker\nTry again.\n"));
});

describe("a check by a command", () => {
  it("that fails asks a human; a second run that passes ends it", async () => {
    const monitor = watched({ on_dead: { action: "gate", run: "echo 2 tests fail >&2; test -e passes" } });
    monitor.report("agent:gone");
    await monitor.start();
    const decision = await openDecision(monitor);
    expect(decision).toMatchObject({
      source: "gate",
      context: "$ echo 2 tests fail >&2; test -e passes\n\nexit code 1\n\n2 tests fail",
    });
    monitor.write("passes", "");
    await monitor.client.resolve(decision.id, { choices: ["retry"] });
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({ state: "gone", outcome: "done" });
    });
    expect(await monitor.client.decisions("open")).toEqual([]);
  });

  it("has the time of its own trigger when another has the same command", async () => {
    const run = "test -e passes && sleep 1";
    const monitor = watched({
      on_idle: { action: "gate", run, timeout: "1ms" },
      on_stop: { action: "gate", run, timeout: "10m" },
    });
    monitor.report("agent:action", {
      trigger: "on_stop",
      in_hook: true,
      action: "escalate",
      run,
      timeout: 600,
    });
    await monitor.start();
    const { id } = await openDecision(monitor);
    monitor.write("passes", "");
    await monitor.client.resolve(id, { choices: ["retry"] });
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({ outcome: "done" });
    });
  });

  it("that takes too long is ended", async () => {
    const monitor = watched({ on_dead: { action: "gate", run: "sleep 600", timeout: "100ms" } });
    monitor.report("agent:gone");
    await monitor.start();
    expect(await openDecision(monitor)).toMatchObject({
      context: "The check took longer than 0.1 s.\n\n$ sleep 600",
    });
  });
});

describe("an agent that is still running", () => {
  it("gets a human's message with its next turn", async () => {
    const monitor = watched({ on_error: "escalate" });
    monitor.report("agent:error", { error_type: "429", agent_pid: process.pid });
    await monitor.start();
    const { id } = await openDecision(monitor);
    await monitor.client.resolve(id, { choices: ["retry"], message: "Wait a minute, then try again." });
    await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeUndefined());
    expect(monitor.notes()).toBe("");
    const { stdout } = await monitor.hook({ hook_event_name: "UserPromptSubmit", prompt: "And?" });
    expect(stdout).toContain("Wait a minute, then try again.");
  });

  it("is a human's matter when on_error is nudge or resume", async () => {
    const escalated = async (action: string): Promise<void> => {
      const monitor = watched({ on_error: { action, message: "Try again." } });
      monitor.report("agent:error", { error_type: "429", agent_pid: process.pid });
      await monitor.start();
      expect(await openDecision(monitor)).toMatchObject({
        source: "error",
        context:
          "worker is running, and no hook of it is waiting for a message. The message comes with its next turn.",
      });
      expect(monitor.notes()).toBe("");
    };
    await Promise.all([escalated("nudge"), escalated("resume")]);
  });
});

describe("an agent that waits for its user", () => {
  it("is woken by a nudge, which is no progress of its own", async () => {
    const monitor = watched({ on_idle: { action: "nudge", message: "Go on, please.", grace: 0 } });
    const waiter = spawn(CLI, ["agent", "wake"], {
      env: {
        ...monitor.environment,
        CLAUDE_CODE_SESSION_ID: "s1",
        CLAUDE_CODE_SESSION_ATTENDED: "1",
        CLAUDE_PID: String(process.pid),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void waiter.kill("SIGKILL"));
    const ended = Promise.all([once(waiter, "close"), text(waiter.stderr)]);
    const mark = join(monitor.folder, "state/tenterhook/monitor/wake/s1.waiter");
    await eventually(() => expect(existsSync(mark)).toBe(true));
    monitor.report("agent:turn", { prompt: "Write it.", agent_pid: process.pid });
    monitor.report("agent:stopped");
    await monitor.start();
    const [[code], stderr] = await ended;
    expect([code, stderr]).toEqual([2, "Go on, please."]);
    await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeUndefined());
    expect(allSpooled(monitor.environment).filter(({ type }) => type === ACTION_ENDED)).toMatchObject([
      { ok: true, route: "woken" },
    ]);
    expect(await monitor.client.decisions("all")).toEqual([]);
    monitor.environment.TENTERHOOK_AGENT_ID = "worker";
    await monitor.hook({
      hook_event_name: "UserPromptSubmit",
      session_id: "s1",
      prompt: "<task-notification>\n<summary>Message from the monitor</summary>\n</task-notification>",
    });
    expect(await monitor.status("worker")).toMatchObject({
      state: "working",
      task: "Write it.",
      attempts: { on_idle: { count: 1 } },
    });
  });
});

/** A daemon in a process of its own, which the test kills. */
function killableDaemon({ environment }: Pick<ReturnType<typeof watched>, "environment">) {
  const child = spawn(process.execPath, [CLI, "monitor", "start", "--foreground"], {
    env: environment,
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    async kill(): Promise<void> {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

const RESUMED = runs(3, 45);

it("kill -9 of the daemon resumes a dead agent as often as it may be, and never once more", {
  timeout: 240_000 + RESUMED * 10_000,
}, async () => {
  const names = Array.from({ length: RESUMED }, (_, at) => `worker-${String(at).padStart(2, "0")}`);
  const monitor = watched({ on_dead: { action: "resume", attempts: 2, cooldown: "1s" } });
  const resumed = () => [...monitor.notes().matchAll(/^claude -p --resume (\S+)$/gm)].map(([, name]) => name);
  const claims = join(monitor.folder, "state/tenterhook/monitor/actions");
  const claimed = () =>
    existsSync(claims) ? readdirSync(claims).filter((name) => !name.startsWith(".")) : [];
  for (const [at, name] of names.entries()) {
    const running = killableDaemon(monitor);
    const before = claimed().length;
    monitor.report("agent:gone", { agent_id: name, session_id: name });
    await eventually(async () => expect(await monitor.client.info()).toBeDefined());
    // Killed at any moment, when a process has claimed an attempt, and when the agent has been started.
    if (at % 3 === 0) await sleep(Math.random() * 2000);
    if (at % 3 === 1) await eventually(() => expect(claimed().length).toBeGreaterThan(before));
    if (at % 3 === 2) await eventually(() => expect(resumed()).toContain(name));
    await running.kill();
  }
  killableDaemon(monitor);
  // Its stand-in ends at once, so each is gone again until a human is asked.
  await eventually(async () => {
    const asked = await monitor.client.decisions("open");
    expect(asked.map(({ agent_id, source }) => [agent_id, source]).toSorted()).toEqual(
      names.map((name) => [name, "dead"]),
    );
  }, 120_000);
  await eventually(() => expect(resumed().toSorted()).toEqual(names.flatMap((name) => [name, name])));
});

const KILLS = runs(4, 60);

it("kill -9 of the daemon loses no action, and does none twice", {
  timeout: 240_000 + KILLS * 10_000,
}, async () => {
  const run =
    'while [ ! -e "$TENTERHOOK_TEST_NOTES.go" ]; do sleep 0.05; done; echo "$TENTERHOOK_AGENT_ID" >> "$TENTERHOOK_TEST_NOTES"';
  const monitor = watched({ on_dead: { action: "gate", run, timeout: "10m" } });
  const go = `${monitor.environment.TENTERHOOK_TEST_NOTES}.go`;
  onTestFinished(() => writeFileSync(go, ""));
  const claims = join(monitor.folder, "state/tenterhook/monitor/actions");
  const claimed = () =>
    existsSync(claims) ? readdirSync(claims).filter((name) => !name.startsWith(".")).length : 0;
  const ended = () => allSpooled(monitor.environment).filter(({ type }) => type === ACTION_ENDED).length;
  const names = Array.from({ length: KILLS }, (_, at) => `worker-${String(at).padStart(2, "0")}`);
  for (const [at, name] of names.entries()) {
    const running = killableDaemon(monitor);
    rmSync(go, { force: true });
    monitor.report("agent:gone", { agent_id: name, session_id: name });
    await eventually(async () => expect(await monitor.client.info()).toBeDefined());
    // Killed at any moment, when it begins to act, while a process acts for it, and when that has reported.
    if (at % 4 === 0) await sleep(Math.random() * 1000);
    if (at % 4 > 1) await eventually(() => expect(claimed()).toBe(at + 1));
    if (at % 4 === 2) expect(ended()).toBeLessThan(claimed());
    if (at % 4 === 3) {
      writeFileSync(go, "");
      await eventually(() => expect(ended()).toBe(at + 1));
    }
    await running.kill();
  }
  writeFileSync(go, "");
  killableDaemon(monitor);
  await eventually(async () => {
    const agents = await monitor.client.agents();
    expect(agents.map(({ outcome, pending }) => [outcome, pending])).toEqual(
      names.map(() => ["done", undefined]),
    );
  });
  // One that acts a second time would still be running.
  await eventually(() => {
    const acting = processesNamed("carry-out");
    expect(processesWith(monitor.folder).filter((pid) => acting.includes(pid))).toEqual([]);
  });
  expect(monitor.notes().trim().split("\n").toSorted()).toEqual(names);
});
