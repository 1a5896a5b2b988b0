import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { notLinux } from "../support/not-here.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { startCli } from "./support/run-cli.ts";
import { json, QUESTION, states, watchedProject } from "./support/watched-project.ts";

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

  it("says that the daemon has ended when it could not even write its log", { timeout: 60_000 }, async ({
    skip,
  }) => {
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
