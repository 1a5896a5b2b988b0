import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { kill } from "../support/faults/kill.ts";
import { eventually, processesWith } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

/** Payloads of an agent, and how it goes on: it stays, ends with a code, or is killed. */
interface ScriptedAgent {
  readonly tells: readonly object[];
  readonly ends: "stays" | "killed" | number;
  readonly shown: Partial<AgentStatus>;
}

const START = { hook_event_name: "SessionStart", source: "startup" };
const TURN = { hook_event_name: "UserPromptSubmit", prompt: "Go." };
const STOP = { hook_event_name: "Stop", stop_hook_active: false };
const tool = (tool_name: string, tool_input: object) => ({
  hook_event_name: "PermissionRequest",
  tool_name,
  tool_input,
});
const QUESTION = tool("AskUserQuestion", { questions: [{ question: "Which?", options: [{ label: "A" }] }] });
const failure = (error: string) => ({ hook_event_name: "StopFailure", error });

const KINDS: readonly ScriptedAgent[] = [
  { tells: [START], ends: "stays", shown: { state: "starting" } },
  { tells: [START, TURN], ends: "stays", shown: { state: "working" } },
  { tells: [TURN, STOP], ends: "stays", shown: { state: "idle" } },
  { tells: [TURN, QUESTION], ends: "stays", shown: { state: "prompting", prompt_type: "question" } },
  {
    tells: [TURN, tool("ExitPlanMode", { plan: "1. Look." })],
    ends: "stays",
    shown: { state: "prompting", prompt_type: "plan_approval", question: "1. Look." },
  },
  {
    tells: [TURN, tool("Bash", { command: "ls" })],
    ends: "stays",
    shown: { state: "prompting", prompt_type: "permission" },
  },
  {
    tells: [TURN, failure("rate_limit")],
    ends: "stays",
    shown: { state: "failed", error_type: "rate_limited" },
  },
  { tells: [TURN, QUESTION], ends: "killed", shown: { state: "gone" } },
  { tells: [TURN, STOP], ends: 0, shown: { state: "exited", exit_code: 0 } },
  { tells: [TURN], ends: 3, shown: { state: "exited", exit_code: 3 } },
];

const END: Readonly<Record<string, string>> = { stays: "sleep 600", killed: "kill -9 $$" };

/** Starts a program that is watched, and tells of itself what an agent would. */
function startAgent({ cwd, environment }: Project, name: string, { tells, ends }: ScriptedAgent) {
  const calls = tells.map((payload, at) => {
    const whole = { session_id: `session of ${name}`, cwd, tool_use_id: `t${at}`, ...payload };
    return `printf %s '${JSON.stringify(whole)}' | "$0" "$1" hook > /dev/null`;
  });
  const script = [...calls, END[ends] ?? `exit ${ends}`].join("; ");
  const args = [CLI, "run", "--name", name, "--", "sh", "-c", script, process.execPath, CLI];
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGTERM"));
  return once(child, "spawn");
}

it("twenty agents at once are each shown in their state", async () => {
  const project = newProject();
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor: { on_prompt: "escalate" } }));
  onTestFinished(() =>
    eventually(() => {
      const left = processesWith(project.folder);
      for (const pid of left) kill(pid);
      expect(left).toEqual([]);
    }),
  );
  // Otherwise each of the first calls would read it.
  for (const payload of new Set(KINDS.flatMap(({ tells }) => tells))) await project.readConfig(payload);
  await project.run(["daemon", "start"]);
  const agents = [...KINDS, ...KINDS].map((kind, at) => ({ name: `agent-${10 + at}`, kind }));
  await Promise.all(agents.map(({ name, kind }) => startAgent(project, name, kind)));
  const shown = agents.map(({ name, kind }) => ({ agent_id: name, ...kind.shown }));
  await eventually(async () => {
    const { stdout } = await project.run(["status", "--json"]);
    const found: readonly AgentStatus[] = JSON.parse(stdout).agents;
    const byName = [...found].sort((one, other) => (one.agent_id < other.agent_id ? -1 : 1));
    expect(byName).toMatchObject(shown);
  }, 180_000);
  const { stdout } = await project.run(["decisions", "--json"]);
  const open: readonly { agent_id: string; source: string }[] = JSON.parse(stdout).decisions;
  const prompting = agents.flatMap(({ name, kind }) => (kind.shown.state === "prompting" ? [name] : []));
  expect(open.map(({ agent_id }) => agent_id).sort()).toEqual(prompting);
});
