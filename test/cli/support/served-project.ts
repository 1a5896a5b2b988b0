import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { stringify } from "yaml";
import { eventually, isAlive, processesNamed, processesWith } from "../../support/processes.ts";
import { patientClient } from "./patient-client.ts";
import { newProject, type Project, shellCall, stopDaemonAfterTest } from "./project.ts";
import type { CliResult } from "./run-cli.ts";

interface ServedOptions {
  readonly project?: Project;
  /** Hooks of the user's own configuration. */
  readonly own?: readonly object[];
  readonly on_prompt?: string;
}

/** A project whose configuration is in the cache, with a daemon that decides its calls. */
export async function servedProject(
  definitions: readonly object[],
  { project = newProject(), own = [], on_prompt = "escalate" }: ServedOptions = {},
): Promise<Project> {
  const user = { monitor: { on_prompt }, hooks: { definitions: own } };
  project.write("../config/tenterhook/hooks.yaml", stringify(user));
  await project.configure(definitions);
  await project.readConfig(shellCall("true"));
  stopDaemonAfterTest(project);
  await project.run(["monitor", "start"]);
  await eventually(() => expect(existsSync(socketOf(project))).toBe(true));
  return project;
}

export function socketOf({ folder }: Project): string {
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

/** The processes that keep what hooks have loaded. */
export function warmChildren({ folder }: Project): readonly number[] {
  const ours = new Set(processesWith(folder));
  return processesNamed("--warm").filter((pid) => ours.has(pid) && isAlive(pid));
}
