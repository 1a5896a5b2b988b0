import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { AgentStatus } from "../../../src/shared/monitor/monitor.ts";
import { projectDaemon } from "../../monitor/support/test-daemon.ts";
import { needs } from "../../support/needs.ts";
import { endAfterTest, endProcess, eventually, processesWith } from "../../support/processes.ts";
import type { Project } from "./project.ts";
import { newProject } from "./project.ts";
import { CLI } from "./run-cli.ts";

export const TERMINAL = fileURLToPath(new URL("in-terminal.py", import.meta.url));

/** A project whose daemon, which the program starts, ends with the test. */
export function watchedProject(): Project {
  const project = newProject();
  // A daemon that a short run has started may not be ready to be stopped.
  onTestFinished(() =>
    eventually(() => {
      const left = processesWith(project.folder);
      for (const pid of left) endProcess(pid);
      expect(left).toEqual([]);
    }),
  );
  return project;
}

/** The same, with a daemon that runs already. */
export async function daemonProject(): Promise<Project> {
  const project = watchedProject();
  await projectDaemon(project);
  return project;
}

export async function agents(project: Project): Promise<readonly AgentStatus[]> {
  const { stdout, stderr } = await project.run(["agents", "--json"]);
  expect(stderr).toBe("");
  return JSON.parse(stdout).agents;
}

/** `tenterhook run …`, under way. */
export function watching({ cwd, environment }: Project, args: readonly string[], program = CLI) {
  const child = spawn(process.execPath, [program, "run", ...args], { cwd, env: environment });
  endAfterTest(child);
  const output = text(child.stdout);
  const ended = once(child, "exit");
  return { child, output, ended };
}

/** The id that a program has written to a file. */
export async function pidIn(file: string): Promise<number> {
  await eventually(() => expect(existsSync(file) && readFileSync(file, "utf8").endsWith("\n")).toBe(true));
  return Number(readFileSync(file, "utf8"));
}

/** What a terminal shows of a watched program that is typed at, and the exit code. */
export async function inTerminal(
  { cwd, environment }: Project,
  steps: readonly (readonly string[])[],
  ...args: readonly string[]
) {
  needs("python3");
  const all = [TERMINAL, JSON.stringify(steps), process.execPath, CLI, "run", "--", ...args];
  const child = spawn("python3", all, { cwd, env: environment });
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { shown, code };
}
