import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { allSpooled } from "../../src/monitor/report/spool.ts";
import { sqliteMonitor } from "../../src/monitor/store/sqlite-monitor.ts";
import { storedEvents } from "../monitor/support/events.ts";
import { freeze, kill, thaw } from "../support/faults/kill.ts";
import { needs } from "../support/needs.ts";
import { eventually } from "../support/processes.ts";
import { patientClient } from "./support/patient-client.ts";
import { shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";
import { DENIED, logged, NO_PUSH } from "./support/served-calls.ts";
import { call, callDaemon, daemonPid, servedProject, start, stopDaemon } from "./support/served-project.ts";

needs("perl");

describe("a call with a daemon", () => {
  it("is decided by the daemon when the built program itself asks", async () => {
    const project = await servedProject([NO_PUSH]);
    await eventually(async () =>
      expect(await callDaemon(project, shellCall("git push"), CLI)).toEqual(DENIED),
    );
  });

  it("sees a changed configuration", async () => {
    const project = await servedProject([NO_PUSH]);
    expect(await call(project, shellCall("git push"))).toEqual(DENIED);
    await project.configure([{ ...NO_PUSH, rules: 'command contains "git pull" -> deny("Not from here.")' }]);
    expect(await call(project, shellCall("git push"))).toMatchObject({ code: 0, stdout: "" });
    expect(await call(project, shellCall("git pull"))).toEqual(DENIED);
    expect(await call(project, shellCall("git push"))).toMatchObject({ code: 0, stdout: "" });
  });

  it("is decided with its own variables and folder, and its secrets are written nowhere", async () => {
    const project = await servedProject([
      NO_PUSH,
      { ...NO_PUSH, name: "home", rules: 'command writes "~/keep" -> deny("In {{cwd}}.")' },
    ]);
    const { environment, folder } = project;
    environment.HOME = join(folder, "another-home");
    environment.GITHUB_TOKEN = "a-secret-of-the-caller-1234567890";
    for (const command of [
      `rm ${join(folder, "another-home/keep")}`,
      `rm ${join(folder, "home/keep")}`,
      "git push https://x:a-secret-of-the-caller-1234567890@example.com",
    ]) {
      const payload = { session_id: "s1", cwd: project.cwd, tool_use_id: "t1", ...shellCall(command) };
      const here = await project.start(["hook"], JSON.stringify(payload));
      expect(await call(project, payload)).toEqual(here);
    }
    const files = readdirSync(join(folder, "state"), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, "state", name))
      .filter((file) => /\.(log|jsonl)$/.test(file));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(readFileSync(file, "utf8")).not.toContain("a-secret-of-the-caller");
  });
});

describe("a call whose daemon", () => {
  it("is killed while it decides is decided here, and recorded once", async () => {
    const project = await servedProject([NO_PUSH]);
    const deciding = daemonPid(project);
    freeze(deciding);
    const { result, child } = start(project, shellCall("git push"));
    await eventually(() => expect(hasSocket(child)).toBe(true));
    kill(deciding);
    expect(await result).toEqual(DENIED);
    expect(await logged(project)).toEqual([expect.stringMatching(/^call[0-9a-f]{24}-1$/)]);
  });

  it("is too slow is decided here, and recorded once also when the daemon decides it later", async () => {
    const project = await servedProject([NO_PUSH]);
    const deciding = daemonPid(project);
    freeze(deciding);
    expect(await start(project, shellCall("git push"), patientClient(project, 5)).result).toEqual(DENIED);
    thaw(deciding);
    await eventually(() => expect(project.journal().filter(isPush)).toHaveLength(2));
    expect(await logged(project)).toEqual([expect.stringMatching(/^call[0-9a-f]{24}-1$/)]);
  });

  it("is too slow is reported to the monitor once", async () => {
    const project = await servedProject([NO_PUSH]);
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go on.", session_id: "s9" };
    await project.hook(prompt);
    const deciding = daemonPid(project);
    freeze(deciding);
    await start(project, prompt, patientClient(project, 5)).result;
    thaw(deciding);
    const reports = () =>
      allSpooled(project.environment).filter(({ id, session_id }) => session_id === "s9" && isCall(id));
    await eventually(() => expect(reports()).toHaveLength(2));
    await stopDaemon(project);
    const store = await sqliteMonitor(daemonPlace(project.environment).database);
    onTestFinished(() => store.close());
    const stored: string[] = [];
    for (const { id } of await storedEvents(store)) if (isCall(id)) stored.push(id);
    expect(stored).toEqual([reports()[0]?.id]);
  });

  it("was killed is decided here, which starts a daemon that decides the next", async () => {
    const project = await servedProject([NO_PUSH]);
    kill(daemonPid(project));
    expect(await call(project, shellCall("git push"))).toEqual(DENIED);
    await eventually(async () => expect(await callDaemon(project, shellCall("git push"))).toEqual(DENIED));
  });
});

function isCall(id: string): boolean {
  return id.startsWith("call");
}

function isPush(record: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(record.event).includes("git push");
}

/** True when a process has opened a socket, which the client does when it has read its payload. */
function hasSocket({ pid }: ChildProcess): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((name) => {
    const target = readlinkSync(`/proc/${pid}/fd/${name}`);
    return Number(name) > 2 && target.startsWith("socket:");
  });
}
