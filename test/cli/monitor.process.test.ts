import { mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { TOKEN, telegramServer } from "../monitor/notify/support/telegram-server.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { newProject } from "./support/project.ts";
import { startCli } from "./support/run-cli.ts";
import { json, watchedProject } from "./support/watched-project.ts";

/** A configuration whose decisions are asked at this server. */
function telegramAt(url: string): string {
  return stringify({ monitor: { notify: [{ telegram: 4242, token_env: "BOT_TOKEN", url }] } });
}

describe("tenterhook daemon", () => {
  it("starts once, says where it is, and stops", async () => {
    const project = watchedProject({});
    expect(await json(project, "daemon", "status")).toEqual({ running: false });
    expect(await project.run(["daemon", "status", "please", "now"])).toMatchObject({ code: 2 });
    const { stdout: first } = await project.start(["daemon", "start", "--json"]);
    const started = JSON.parse(first);
    expect(started).toMatchObject({
      running: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(await json(project, "daemon", "start")).toEqual(started);
    const second = await project.start(["daemon", "start", "--foreground"]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("Another process") });
    expect(await json(project, "daemon", "stop")).toEqual({ stopped: true });
    await eventually(() => expect(isAlive(started.pid)).toBe(false));
    const { stdout } = await project.run(["daemon", "logs"]);
    expect(stdout).toMatch(/listening at .*\n.*Another process.*\n(?:.*\n)*.*stopped\n$/);
  });

  it("is one for a user, whatever their folder is called and however often it starts at once", async () => {
    const project = watchedProject({});
    const home = join(project.folder, "home");
    const link = join(project.folder, "home-by-a-link");
    mkdirSync(home, { recursive: true });
    symlinkSync(home, link);
    const { XDG_STATE_HOME: _, ...environment } = project.environment;
    const places = [
      { HOME: home },
      { HOME: link },
      { HOME: home, XDG_STATE_HOME: join(home, ".local", "state") },
      { HOME: home, XDG_STATE_HOME: join(link, ".local", "state") },
    ];
    const start = async (place: (typeof places)[number]) => {
      const { stdout, stderr, code } = await startCli(project.cwd, { ...environment, ...place }, [
        "daemon",
        "start",
        "--json",
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout);
    };
    const started = await Promise.all(places.map(start));
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    await startCli(project.cwd, { ...environment, ...places[0] }, ["daemon", "stop"]);
    await eventually(() => expect(isAlive(started[0].pid)).toBe(false));
  });

  it("starts anew with the configuration and the variables of now", async () => {
    const project = watchedProject({});
    const { pid, started_at } = await json(project, "daemon", "start");
    const telegram = await telegramServer();
    project.write("../config/tenterhook/hooks.yaml", telegramAt(telegram.url));
    project.environment.BOT_TOKEN = TOKEN;
    const { stdout } = await project.run(["daemon", "restart"]);
    expect(stdout).toContain("  telegram: works\n");
    const now = await json(project, "daemon", "status");
    expect(now).toMatchObject({ running: true, channels: [{ channel: "telegram" }] });
    expect([now.pid === pid, now.started_at > started_at, isAlive(pid)]).toEqual([false, true, false]);
  });

  it("says why it shows nothing when its database is damaged, and what to do", async () => {
    const project = watchedProject({});
    const file = daemonPlace(project.environment).database;
    project.write(relative(project.cwd, file), "This is no database. ".repeat(1000));
    expect(await project.start(["status"])).toMatchObject({
      code: 1,
      stderr: `${file} is damaged: file is not a database.
  Move it away: a new one is created. What was only in it is lost.
`,
    });
    const { stdout } = await project.run(["daemon", "logs"]);
    expect(stdout).toMatch(/^\S+Z store_failed: \S+ is damaged: .*\n/);
    await project.run(["daemon", "stop"]);
  });

  it("names an unknown action and the nearest", async () => {
    const project = newProject();
    expect(await project.run(["monitor", "stat"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no tenterhook daemon stat. Did you mean start"),
    });
  });
});
