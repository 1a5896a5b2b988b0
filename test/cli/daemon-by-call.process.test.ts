import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project, shellCall, stopDaemonAfterTest } from "./support/project.ts";
import { call, callDaemon } from "./support/served-project.ts";

const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
const DENIED = { code: 0, stdout: expect.stringContaining("Not from here."), stderr: "" };
const PUSH = shellCall("git push");

/** A project without a daemon, whose calls start one. */
async function project(more: object = {}): Promise<Project> {
  const made = newProject();
  stopDaemonAfterTest(made);
  await made.configure([NO_PUSH], more);
  return made;
}

/** Waits until the daemon decides a call. */
const decidedByDaemon = (made: Project, client?: string) =>
  eventually(async () => expect(await callDaemon(made, PUSH, client)).toEqual(DENIED));

const wasStarted = ({ environment }: Project): boolean =>
  existsSync(join(daemonPlace(environment).folder, "starting"));

describe("the daemon that decides calls", () => {
  it("is started by the first call, and decides the next", async () => {
    const made = await project();
    expect(await call(made, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
    // It decides calls before its database is open.
    await eventually(async () => {
      const { stdout } = await made.run(["monitor", "status", "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ running: true, started_by: "call" });
    });
    expect((await made.run(["monitor", "status"])).stdout).toContain("started by a call of a hook");
    expect((await made.run(["status"])).stdout).toMatch(
      /The daemon decides calls of hooks: process \d+, started by a call/,
    );
  });

  it("is stopped for good by one command, and started again after another", async () => {
    const made = await project();
    made.write("../config/tenterhook/hooks.yaml", "# mine\nhooks: { definitions: [] } # none\n");
    await made.run(["monitor", "start"]);
    const { stdout, code } = await made.run(["monitor", "disable"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("The daemon has stopped.")]);
    const file = join(made.folder, "config/tenterhook/hooks.yaml");
    expect(readFileSync(file, "utf8")).toBe("# mine\nhooks: { definitions: [] } # none\ndaemon: false\n");
    expect(await call(made, PUSH)).toEqual(DENIED);
    expect(wasStarted(made)).toBe(false);
    await made.run(["monitor", "enable"]);
    expect(readFileSync(file, "utf8")).toBe("# mine\nhooks: { definitions: [] } # none\n");
    expect(await call(made, PUSH)).toEqual(DENIED);
    await decidedByDaemon(made);
  });
});
