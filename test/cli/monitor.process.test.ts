import { spawn } from "node:child_process";
import { once } from "node:events";
import { relative } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { TOKEN, telegramServer } from "../monitor/notify/support/telegram-server.ts";
import { notLinux } from "../support/not-here.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { CLI, startCli } from "./support/run-cli.ts";
import { json, QUESTION, states, watchedProject } from "./support/watched-project.ts";

/** A configuration whose decisions are asked at this server. */
function telegramAt(url: string): string {
  return stringify({ monitor: { notify: [{ telegram: 4242, token_env: "BOT_TOKEN", url }] } });
}

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
    await eventually(() => expect(isAlive(started.pid)).toBe(false));
    const { stdout } = await project.run(["monitor", "logs"]);
    expect(stdout).toMatch(/listening at .*\n.*Another process.*\n(?:.*\n)*.*stopped\n$/);
  });

  it("starts anew with the configuration and the variables of now", async () => {
    const project = watchedProject({});
    const { pid, started_at } = await json(project, "monitor", "start");
    const telegram = await telegramServer();
    project.write("../config/tenterhook/hooks.yaml", telegramAt(telegram.url));
    project.environment.BOT_TOKEN = TOKEN;
    const { stdout } = await project.start(["monitor", "restart"]);
    expect(stdout).toContain("  telegram: works\n");
    const now = await json(project, "monitor", "status");
    expect(now).toMatchObject({ running: true, channels: [{ channel: "telegram" }] });
    expect([now.pid === pid, now.started_at > started_at, isAlive(pid)]).toEqual([false, true, false]);
  });

  it("starts when it is asked to start anew and none runs", async () => {
    const project = watchedProject({});
    expect(await json(project, "monitor", "restart")).toMatchObject({ running: true });
  });

  it("waits at its start until each channel has said whether it works", async () => {
    const project = watchedProject({});
    const telegram = await telegramServer();
    let release = (): void => undefined;
    telegram.fail("getUpdates", new Promise<void>((resolve) => (release = resolve)));
    project.write("../config/tenterhook/hooks.yaml", telegramAt(telegram.url));
    const env = { ...project.environment, BOT_TOKEN: TOKEN };
    const child = spawn(process.execPath, [CLI, "monitor", "start"], { cwd: project.cwd, env });
    const ended = Promise.all([text(child.stdout), once(child, "close")]);
    await eventually(() => expect(telegram.calls.map(({ method }) => method)).toEqual(["getUpdates"]));
    // The daemon answers, and the channel has said nothing yet.
    await eventually(async () =>
      expect(await json(project, "monitor", "status")).toMatchObject({ channels: [{ unheard: true }] }),
    );
    expect(child.exitCode).toBe(null);
    release();
    const [stdout] = await ended;
    expect(stdout).toContain("  telegram: works\n");
  });

  it("says at its start what keeps a channel from working", async () => {
    const project = watchedProject({});
    const telegram = await telegramServer();
    project.write("../config/tenterhook/hooks.yaml", telegramAt(telegram.url));
    project.environment.BOT_TOKEN = "4711:another-token";
    const { stdout } = await project.start(["monitor", "start"]);
    expect(stdout).toContain("  telegram: Unauthorized. Check the bot's token.\n");
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

  it("says why it shows nothing when its database is damaged, and what to do", async () => {
    const project = watchedProject({});
    const file = daemonPlace(project.environment).database;
    project.write(relative(project.cwd, file), "This is no database. ".repeat(1000));
    expect(await project.start(["status"])).toMatchObject({
      code: 1,
      stderr: `store_failed: ${file} is damaged: file is not a database.
  Move it away: a new one is created. What was only in it is lost.
`,
    });
    const { stdout } = await project.run(["monitor", "logs"]);
    expect(stdout).toMatch(/^\S+Z store_failed: \S+ is damaged: .*\n/);
    await project.run(["monitor", "stop"]);
  });

  it("says that the daemon has ended when it could not even write its log", async ({ skip }) => {
    skip(notLinux !== undefined, notLinux);
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
  });

  it("names an unknown action and the nearest", async () => {
    const project = newProject();
    expect(await project.run(["monitor", "stat"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no action "stat". Did you mean "start"'),
    });
  });
});
