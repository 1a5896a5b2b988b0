import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { AgentStatus, HumanRequest } from "../../../src/shared/monitor/monitor.ts";
import { projectDaemon } from "../../monitor/support/test-daemon.ts";
import { needs } from "../../support/needs.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { daemonBeside, newProject, type Project } from "./project.ts";
import { CLI, type CliResult, runCli } from "./run-cli.ts";

const TERMINAL = fileURLToPath(new URL("in-terminal.py", import.meta.url));

export const touch = { name: "Bash", input: { command: "touch made" } };
/** The same call for an agent in the test's process, which starts no program. */
export const write = { name: "Write", input: { file_path: "made", content: "" } };
export const question = {
  name: "AskUserQuestion",
  input: { questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }] },
};

/** A project whose user has the monitor on, with an agent that makes these calls. */
export function configured(monitor: object, ...calls: readonly object[]): Project {
  const project = newProject();
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  project.write(
    "script.yaml",
    stringify([...calls.map((call) => ({ tool_calls: [call] })), { text: "Done." }]),
  );
  return project;
}

/** The same, with a daemon that runs. */
export async function watched(monitor: object, ...calls: readonly object[]): Promise<Project> {
  const project = configured(monitor, ...calls);
  await projectDaemon(project);
  return project;
}

/** The same, for an agent on a terminal, which asks only whom the daemon has not started. */
export async function watchedBeside(monitor: object, ...calls: readonly object[]): Promise<Project> {
  const project = configured(monitor, ...calls);
  await daemonBeside(project);
  return project;
}

export const RUN = ["run", "Go.", "--model", "scripted:script.yaml"];

/** Our agent at work, headless or on a terminal where somebody types. */
export function atWork(
  { cwd, environment }: Project,
  args = RUN,
  typed?: readonly (readonly [string, string])[],
) {
  if (typed !== undefined) needs("python3");
  const line = [process.execPath, CLI, ...args];
  const [program = "", ...rest] =
    typed === undefined ? line : ["python3", TERMINAL, JSON.stringify(typed), ...line];
  const env = { ...environment, NO_COLOR: "1", TERM: "xterm", TENTERHOOK_AGENT_ID: "worker" };
  const child = spawn(program, rest, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  endAfterTest(child);
  const done = Promise.all([text(child.stdout), once(child, "close")]).then(([shown, [code]]) => ({
    code,
    shown: stripVTControlCharacters(shown),
  }));
  return { child, done };
}

export async function json(project: Project, ...args: readonly string[]) {
  const { stdout, stderr, code } = await project.run([...args, "--json"]);
  expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout });
  return JSON.parse(stdout);
}

export async function agentOf(project: Project): Promise<AgentStatus | undefined> {
  const { agents } = await json(project, "status");
  return agents[0];
}

export async function decisionOf(project: Project): Promise<HumanRequest> {
  const { decisions } = await json(project, "inbox", "--all");
  expect(decisions).toHaveLength(1);
  return decisions[0];
}

/** The decision that the agent waits for. */
export async function asked(project: Project): Promise<HumanRequest> {
  await eventually(async () => expect(await agentOf(project)).toMatchObject({ state: "prompting" }));
  return decisionOf(project);
}

export const isMade = ({ cwd }: Project): boolean => existsSync(join(cwd, "made"));

/** Runs our agent in this process. */
export function agentHere({ cwd, environment }: Project, ...args: readonly string[]): Promise<CliResult> {
  return runCli(cwd, { ...environment, NO_COLOR: "1", TENTERHOOK_AGENT_ID: "worker" }, ...args);
}
