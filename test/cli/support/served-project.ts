import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { monitorClient } from "../../../src/monitor/client.ts";
import { eventually, isAlive, processesNamed, processesWith } from "../../support/processes.ts";
import type { AtEnd } from "../../support/temporary-folder.ts";
import { patientClient } from "./patient-client.ts";
import { newProject, type Project, shellCall } from "./project.ts";
import { type CliResult, commandLine, inPlace } from "./run-cli.ts";

/** The daemon keeps what a hook has loaded only when no file of the configuration is younger. */
const SETTLED_MILLISECONDS = 2200;

export interface ServedOptions {
  readonly project?: Project;
  /** Hooks of the user's own configuration. */
  readonly own?: readonly object[];
  readonly on_prompt?: unknown;
  /** True when the daemon has a process of its own, for tests that kill it. */
  readonly started?: boolean;
  /** When the daemon ends, if not with the test. */
  readonly atEnd?: AtEnd;
}

/** A project whose configuration is in the cache, with a daemon that decides its calls. */
export async function servedProject(
  definitions: readonly object[],
  {
    atEnd = onTestFinished,
    project = newProject({ atEnd }),
    own = [],
    on_prompt = "escalate",
    started = false,
  }: ServedOptions = {},
): Promise<Project> {
  const user = { monitor: { on_prompt }, hooks: { definitions: own } };
  project.write("../config/tenterhook/hooks.yaml", stringify(user));
  await project.configure(definitions);
  await project.readConfig(shellCall("true"));
  if (started) {
    atEnd(() => stopDaemon(project));
    await project.run(["monitor", "start"]);
  } else await daemonHere(project, atEnd);
  await eventually(() => expect(existsSync(socketOf(project))).toBe(true));
  return project;
}

/** The same, when the daemon keeps what hooks have loaded. */
export async function settledProject(...given: Parameters<typeof servedProject>): Promise<Project> {
  const project = await servedProject(...given);
  await wait(SETTLED_MILLISECONDS);
  return project;
}

/** Runs the daemon in this process. Only what decides calls has a process of its own. */
async function daemonHere(project: Project, atEnd: AtEnd): Promise<void> {
  const { cwd, environment } = project;
  const [running] = await inPlace(project, async () => {
    const daemon = commandLine(cwd, environment, ["monitor", "start", "--foreground"]);
    await eventually(async () => expect(await monitorClient(environment).info()).toBeDefined());
    return [daemon];
  });
  atEnd(async () => {
    await stopDaemon(project);
    expect(await running).toMatchObject({ code: 0, stderr: "" });
  });
}

/** Stops the daemon. `tenterhook monitor stop` would wait for the end of its process, which may be this one. */
export async function stopDaemon({ environment }: Project): Promise<void> {
  const client = monitorClient(environment);
  if ((await client.info()) === undefined) return;
  await client.stop();
  await eventually(async () => expect(await client.info()).toBeUndefined());
}

function socketOf({ folder }: Project): string {
  return join(folder, "state/tenterhook/monitor/hook.sock");
}

/** Starts `tenterhook hook` as an agent does. */
export function start(
  project: Project,
  payload: object,
  client = patientClient(project),
): { child: ChildProcess; result: Promise<CliResult> } {
  const { cwd, environment } = project;
  const child = spawn(client, ["hook"], { cwd, env: environment });
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

/** The process that decides calls for the daemon. */
export function decidingProcess(project: Project): number {
  const warm = warmChildren(project);
  const pid = childrenNamed(project, "--serve").find((one) => !warm.includes(one));
  if (pid === undefined) throw new Error("No process decides calls.");
  return pid;
}

/** The processes that keep what hooks have loaded. */
export const warmChildren = (project: Project) => childrenNamed(project, "--warm");

function childrenNamed({ folder }: Project, argument: string): readonly number[] {
  const ours = new Set(processesWith(folder));
  return processesNamed(argument).filter((pid) => ours.has(pid) && isAlive(pid));
}
