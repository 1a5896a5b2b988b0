import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { needs } from "../../support/needs.ts";
import { endAfterTest } from "../../support/processes.ts";
import { daemonBeside, type Project } from "./project.ts";
import { CLI } from "./run-cli.ts";
import { states, watchedProject } from "./watched-project.ts";

export const TENTERHOOK = `"${process.execPath}" "${CLI}"`;

/** An agent: a process of its own that runs lines in a shell, one after the other. */
function agent({ cwd, environment }: Project, variables: NodeJS.ProcessEnv = {}) {
  const program =
    "import sys, subprocess\nfor line in sys.stdin:\n  subprocess.run(['sh', '-c', line])\n  print('done', flush=True)";
  const env = { ...environment, ...variables };
  needs("python3");
  const child = spawn("python3", ["-c", program], { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  endAfterTest(child);
  const run = async (line: string) => {
    child.stdin.write(`${line}\n`);
    await once(child.stdout, "data");
  };
  /** Sends an event of this session. */
  const hook = (session_id: string, hook_event_name: string, before = "") => {
    const payload = JSON.stringify({ hook_event_name, session_id, cwd, source: "startup", prompt: "Go." });
    return run(`echo '${payload}' | ${before} ${TENTERHOOK} hook > /dev/null`);
  };
  return { run, hook };
}

/** A worker that works, and another agent. */
export async function twoAgents() {
  const project = watchedProject({ on_stop: "done" });
  await daemonBeside(project);
  const worker = agent(project, { TENTERHOOK_AGENT_ID: "worker" });
  const other = agent(project, { CLAUDECODE: "1" });
  await worker.hook("s1", "SessionStart");
  await worker.hook("s1", "UserPromptSubmit");
  await other.hook("s2", "SessionStart");
  expect(await states(project)).toEqual({ worker: "working", s2: "starting" });
  return { project, worker, other };
}
