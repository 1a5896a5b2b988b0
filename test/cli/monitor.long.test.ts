import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { TOKEN, telegramServer } from "../monitor/notify/support/telegram-server.ts";
import { kill } from "../support/faults/kill.ts";
import { notLinux } from "../support/not-here.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { CLI, startCli } from "./support/run-cli.ts";
import { json, QUESTION, states, watchedProject } from "./support/watched-project.ts";

/** A configuration whose decisions are asked at this server. */
function telegramAt(url: string): string {
  return stringify({ monitor: { notify: [{ telegram: 4242, token_env: "BOT_TOKEN", url }] } });
}

describe("tenterhook daemon", () => {
  it("starts when it is asked to start anew and none runs", async () => {
    const project = watchedProject({});
    expect(await json(project, "daemon", "restart")).toMatchObject({ running: true });
  });

  it("waits at its start until each channel has said whether it works", async () => {
    const project = watchedProject({});
    const telegram = await telegramServer();
    let release = (): void => undefined;
    telegram.fail("getUpdates", new Promise<void>((resolve) => (release = resolve)));
    project.write("../config/tenterhook/hooks.yaml", telegramAt(telegram.url));
    const env = { ...project.environment, BOT_TOKEN: TOKEN };
    const child = spawn(process.execPath, [CLI, "daemon", "start"], { cwd: project.cwd, env });
    const ended = Promise.all([text(child.stdout), once(child, "close")]);
    await eventually(() => expect(telegram.calls.map(({ method }) => method)).toEqual(["getUpdates"]));
    // The daemon answers, and the channel has said nothing yet.
    await eventually(async () =>
      expect(await json(project, "daemon", "status")).toMatchObject({ channels: [{ unheard: true }] }),
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
    const { stdout } = await project.start(["daemon", "start"]);
    expect(stdout).toContain("  telegram: Unauthorized. Check the bot's token.\n");
  });

  it("comes back with everything after kill -9", async () => {
    const project = watchedProject({ on_prompt: "escalate" });
    await project.hook(QUESTION);
    const { pid } = await json(project, "daemon", "start");
    kill(pid);
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await project.hook({ hook_event_name: "UserPromptSubmit", session_id: "s2", prompt: "Go." });
    expect(await states(project)).toEqual({ s1: "prompting", s2: "working" });
    expect((await json(project, "decisions")).decisions).toHaveLength(1);
  });

  it("says that the daemon has ended when it could not even write its log", async ({ skip }) => {
    skip(notLinux !== undefined, notLinux);
    const project = newProject({ cached: true });
    // Nobody can create a folder there, not even root.
    const environment = { ...project.environment, XDG_STATE_HOME: "/proc/nope" };
    const { folder, log } = daemonPlace(environment);
    expect(await startCli(project.cwd, environment, ["daemon", "start"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `The monitor's daemon did not start. It ended with 1 and wrote no reason to ${log}.
  Make room on the disk, make ${folder} writable for this user, or set XDG_STATE_HOME to another folder. tenterhook daemon start --foreground shows the error.
`,
    });
  });
});
