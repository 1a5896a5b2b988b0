import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { daemonPlace } from "../../../src/monitor/report/daemon-place.ts";
import { eventually, processesWith } from "../../support/processes.ts";
import type { AtEnd } from "../../support/temporary-folder.ts";
import { patientClient } from "./patient-client.ts";
import { newProject, type Project, shellCall } from "./project.ts";
import type { CliResult } from "./run-cli.ts";

export interface ServedOptions {
  readonly project?: Project;
  /** Hooks of the user's own configuration. */
  readonly own?: readonly object[];
  readonly on_prompt?: unknown;
  /** When the daemon ends, if not with the test. */
  readonly atEnd?: AtEnd;
}

/** A project whose configuration is in the cache, with a daemon that decides the calls of clients. */
export async function servedProject(
  definitions: readonly object[],
  {
    atEnd = onTestFinished,
    project = newProject({ atEnd }),
    own = [],
    on_prompt = "escalate",
  }: ServedOptions = {},
): Promise<Project> {
  const user = { monitor: { on_prompt }, hooks: { definitions: own } };
  project.write("../config/tenterhook/hooks.yaml", stringify(user));
  await project.configure(definitions);
  await project.readConfig(shellCall("true"));
  atEnd(() => stopDaemon(project));
  await project.run(["daemon", "start"]);
  return project;
}

/** The process of the daemon. */
export function daemonPid({ environment }: Project): number {
  return JSON.parse(readFileSync(daemonPlace(environment).info, "utf8")).pid;
}

/** Stops the daemon, also one that a call has started a moment ago. */
export async function stopDaemon({ run, folder }: Project): Promise<void> {
  await eventually(async () => {
    await run(["daemon", "stop"]);
    expect(processesWith(folder)).toEqual([]);
  });
}

/** Starts `tenterhook hook` as an agent does whose user has switched nothing off. */
export function start(
  project: Project,
  payload: object,
  client = patientClient(project),
): { child: ChildProcess; result: Promise<CliResult> } {
  const { cwd } = project;
  const { TENTERHOOK_DAEMON: _, ...env } = project.environment;
  const child = spawn(client, ["hook"], { cwd, env });
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...payload }));
  const result = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [code]]) => ({ code, stdout, stderr }),
  );
  return { child, result };
}

export const call = (project: Project, payload: object) => start(project, payload).result;

/** A call that only the daemon can decide: the `node` that decides it otherwise fails. */
export function callDaemon(project: Project, payload: object, client?: string): Promise<CliResult> {
  const folder = dirname(project.write("../no-node/node", "#!/bin/sh\nexit 99\n"));
  const environment = { ...project.environment, PATH: `${folder}:${project.environment.PATH}` };
  return start({ ...project, environment }, payload, client).result;
}
