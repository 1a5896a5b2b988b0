import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { daemonPlace } from "../../../src/monitor/report/daemon-place.ts";
import { eventually } from "../../support/processes.ts";
import { newProject, type Project, shellCall, stopDaemonAfterTest } from "./project.ts";
import { callDaemon } from "./served-project.ts";

export const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};

export const DENIED = { code: 0, stdout: expect.stringContaining("Not from here."), stderr: "" };
export const PUSH = shellCall("git push");

/** A project without a daemon, whose calls start one. */
export async function project(more: object = {}): Promise<Project> {
  const made = newProject();
  stopDaemonAfterTest(made);
  await made.configure([NO_PUSH], more);
  return made;
}

/** Waits until the daemon decides a call. */
export const decidedByDaemon = (made: Project, client?: string) =>
  eventually(async () => expect(await callDaemon(made, PUSH, client)).toEqual(DENIED));

export const wasStarted = ({ environment }: Project): boolean =>
  existsSync(join(daemonPlace(environment).folder, "starting"));
