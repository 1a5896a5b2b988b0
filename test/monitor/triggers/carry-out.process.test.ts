import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { AgentStatus } from "../../../src/core/contracts/monitor.ts";
import { monitorClient } from "../../../src/monitor/client.ts";
import { appendToSpool } from "../../../src/monitor/spool.ts";
import { newProject } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { eventually } from "../../support/processes.ts";
import { runs } from "../../support/soak.ts";
import { projectDaemon } from "../support/test-daemon.ts";

const LONG = 30_000;
/** Stands in for an agent: notes the arguments, the variables and the prompt that it was started with. */
const AGENT = `#!/bin/sh
{ echo "$0 $*" | sed 's:.*/::'; echo "$TENTERHOOK_AGENT_ID"; cat; echo; } >> "$TENTERHOOK_TEST_NOTES"
echo "I go on."
`;

/** A user with a monitor, and with programs in place of agents. */
function watched(monitor: object, programs: readonly string[] = ["claude"]) {
  const project = newProject();
  const { folder, environment } = project;
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of programs) {
    writeFileSync(join(bin, name), AGENT);
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
    start: () => projectDaemon(project),
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
  }, LONG);
  if (found === undefined) throw new Error("no decision");
  return found;
};

describe("an agent whose process is gone", () => {
  it.each([
    ["claude", "claude -p --resume s1"],
    ["codex", "codex exec resume s1 -"],
    ["gemini", "gemini --resume s1"],
  ])("is resumed as %s continues a session", { timeout: 90_000 }, async (host, line) => {
    const monitor = watched({ on_dead: { action: "resume", message: "Go on, please." } }, [host]);
    monitor.report("agent:turn", { host });
    monitor.report("agent:gone", { host });
    await monitor.start();
    await eventually(() => expect(monitor.notes()).toBe(`${line}\nworker\nGo on, please.\n`), LONG);
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({
        state: "starting",
        attempts: { on_dead: { count: 1 } },
      });
    }, LONG);
    const { pending } = (await monitor.status("worker")) ?? {};
    expect(pending).toBeUndefined();
  });

  it("is resumed by tenterhook resume when it is Tenterhook's own", { timeout: 90_000 }, async () => {
    const monitor = watched({ on_dead: { action: "resume", message: "--go on" } });
    monitor.report("agent:gone", { host: "tenterhook", session_id: "no-such-session" });
    await monitor.start();
    const folder = join(monitor.folder, "state/tenterhook/monitor/resumed");
    await eventually(() => {
      const [log = ""] = readdirSync(folder).filter((name) => name.endsWith(".log"));
      expect(readFileSync(join(folder, log), "utf8")).toContain("unknown_session");
    }, LONG);
  });

  it("writes to a file that only its user can read", { timeout: 90_000 }, async () => {
    const monitor = watched({ on_dead: "resume" });
    monitor.report("agent:gone");
    await monitor.start();
    const folder = join(monitor.folder, "state/tenterhook/monitor/resumed");
    await eventually(() => expect(monitor.notes()).toContain("worker"), LONG);
    const [log = ""] = readdirSync(folder).filter((name) => name.endsWith(".log"));
    await eventually(() => expect(readFileSync(join(folder, log), "utf8")).toBe("I go on.\n"), LONG);
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

  it("is resumed when a human chooses it", { timeout: 90_000 }, async () => {
    const monitor = watched({ on_dead: "escalate" });
    monitor.report("agent:gone");
    await monitor.start();
    const { id } = await openDecision(monitor);
    await monitor.client.resolve(id, { choices: ["resume"], message: "Try the other door." });
    await eventually(() => expect(monitor.notes()).toContain("worker\nTry the other door.\n"), LONG);
  });
});

it("an agent that fails and then exits is resumed, whatever is seen first", { timeout: 90_000 }, async () => {
  const monitor = watched({ on_error: { action: "nudge", message: "Try again." } });
  const failing = spawn("sleep", ["600"]);
  onTestFinished(() => void failing.kill());
  monitor.report("agent:error", { error_type: "429", agent_pid: failing.pid });
  await monitor.start();
  await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeDefined(), LONG);
  failing.kill("SIGKILL");
  await eventually(() => expect(monitor.notes()).toContain("worker\nTry again.\n"), LONG);
});

describe("a check by a command", () => {
  it("that fails asks a human; a second run that passes ends it", { timeout: 90_000 }, async () => {
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
    }, LONG);
    expect(await monitor.client.decisions("open")).toEqual([]);
  });

  it("that takes too long is ended", { timeout: 90_000 }, async () => {
    const monitor = watched({ on_dead: { action: "gate", run: "sleep 600", timeout: "100ms" } });
    monitor.report("agent:gone");
    await monitor.start();
    expect(await openDecision(monitor)).toMatchObject({
      context: "The check took longer than 0.1 s.\n\n$ sleep 600",
    });
  });
});

describe("an agent that is still running", () => {
  it("gets a human's message with its next turn", { timeout: 90_000 }, async () => {
    const monitor = watched({ on_error: "escalate" });
    monitor.report("agent:error", { error_type: "429", agent_pid: process.pid });
    await monitor.start();
    const { id } = await openDecision(monitor);
    await monitor.client.resolve(id, { choices: ["retry"], message: "Wait a minute, then try again." });
    await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeUndefined(), LONG);
    expect(monitor.notes()).toBe("");
    const { stdout } = await monitor.hook({ hook_event_name: "UserPromptSubmit", prompt: "And?" });
    expect(stdout).toContain("Wait a minute, then try again.");
  });

  it("is a human's matter when on_error is nudge or resume", { timeout: 90_000 }, async () => {
    const escalated = async (action: string): Promise<void> => {
      const monitor = watched({ on_error: { action, message: "Try again." } });
      monitor.report("agent:error", { error_type: "429", agent_pid: process.pid });
      await monitor.start();
      expect(await openDecision(monitor)).toMatchObject({
        source: "error",
        context: "worker is running and can't be woken from outside. The message comes with its next turn.",
      });
      expect(monitor.notes()).toBe("");
    };
    await Promise.all([escalated("nudge"), escalated("resume")]);
  });
});

it("kill -9 of the daemon loses no action, and does none twice", { timeout: 240_000 }, async () => {
  const AGENTS = 6;
  const monitor = watched({ on_dead: { action: "resume", attempts: 1, cooldown: "1h" } });
  const daemon = () => {
    const child = spawn(process.execPath, [CLI, "monitor", "start", "--foreground"], {
      env: monitor.environment,
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const names = Array.from({ length: AGENTS }, (_, at) => `worker-${at}`);
  for (let kills = 0; kills < runs(6, 60); kills += 1) {
    const running = daemon();
    const name = names[kills % AGENTS];
    if (kills < AGENTS) monitor.report("agent:gone", { agent_id: name, session_id: name });
    await eventually(async () => expect(await monitor.client.info()).toBeDefined(), LONG);
    // Between its start and the end of the action.
    await wait(Math.random() * 1000);
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }
  daemon();
  const resumed = () =>
    monitor
      .notes()
      .match(/^worker-\d+$/gm)
      ?.toSorted() ?? [];
  await eventually(() => expect(resumed()).toEqual(names), LONG);
  await eventually(async () => {
    for (const name of names)
      expect(await monitor.status(name)).toMatchObject({ attempts: { on_dead: { count: 1 } } });
    expect((await monitor.client.agents()).filter(({ pending }) => pending !== undefined)).toEqual([]);
  }, LONG);
  await wait(3000);
  expect(resumed()).toEqual(names);
});
