import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { AgentStatus } from "../../../src/shared/monitor/monitor.ts";
import { projectDaemon } from "../../monitor/support/test-daemon.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { daemonBeside, newProject, type Project } from "./project.ts";
import { CLI } from "./run-cli.ts";

export async function daemonProject(settings: object = {}): Promise<Project> {
  const project = projectWith(settings);
  await projectDaemon(project);
  return project;
}

function projectWith(settings: object): Project {
  const project = newProject();
  project.write("../config/tenterhook/hooks.yaml", stringify(settings));
  return project;
}

/** A command of ours, under way. */
export function started(
  { cwd, environment }: Project,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { ...environment, ...more } });
  endAfterTest(child);
  return { child, output: text(child.stdout), errors: text(child.stderr), ended: once(child, "close") };
}

async function agent(project: Project, id: string): Promise<AgentStatus> {
  return JSON.parse((await project.run(["agents", "show", id, "--json"])).stdout);
}

export async function agentWhen(project: Project, id: string, facts: object): Promise<AgentStatus> {
  await eventually(async () => expect(await agent(project, id)).toMatchObject(facts));
  return agent(project, id);
}

/** For an agent that may run every command. */
export function workProject(): Project {
  return projectWith({ monitor: { on_idle: "done" }, permissions: { allow: ["Bash"] } });
}

const RUN = ["run", "Go.", "--model", "scripted:script.yaml"];
const waits = { name: "Bash", input: { command: "while [ ! -e go ] && [ -d $PWD ]; do sleep 0.1; done" } };

/** Our agent, in a call that ends when there is a file `go`. */
export async function atWork(project = workProject()) {
  const daemon = await daemonBeside(project);
  project.write("script.yaml", stringify([{ text: "I wait.", tool_calls: [waits] }, { text: "I am done." }]));
  const running = started(project, RUN, { TENTERHOOK_AGENT_ID: "worker" });
  await agentWhen(project, "worker", { state: "working" });
  return { project, daemon, running, go: () => writeFileSync(join(project.cwd, "go"), "") };
}
