import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_NAMES } from "../../../../adapters/agents.ts";
import { integrationOf } from "../../../../adapters/integrations.ts";
import { agentProcess } from "../../../../monitor/report/agent-process.ts";
import { makePrivateFolder } from "../../../../node/files/make-folders.ts";
import { nearestFolder } from "../../../../node/files/nearest-folder.ts";
import { tidy } from "../../../../node/files/tidy.ts";
import { ownProgram } from "../../../../node/own-program.ts";
import { startError } from "../../../../node/process/program-error.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import type { AgentStatus, PendingAction } from "../../../../shared/monitor/monitor.ts";

/** How an action of the monitor ended: fields of the event that reports it. */
export type ActionResult = Readonly<Record<string, unknown>> & {
  readonly ok: boolean;
  /** Why it failed, a sentence for a human. */
  readonly why?: string;
  /** True when a human need not be asked about the failure: the agent waits for something else. */
  readonly moot?: true;
};

const TIDIED = {
  milliseconds: 30 * 24 * 60 * 60 * 1000,
  bytes: 100_000_000,
  concerns: (name: string) => name !== ".tidied",
};

/**
 * Continues an agent's session in a process of its own, which outlives this one; its output goes to a private file. Never
 * rejects.
 */
export async function resumeAgent(
  agent: AgentStatus,
  { id: actionId, message = "", answer }: PendingAction,
  environment: NodeJS.ProcessEnv,
): Promise<ActionResult> {
  const folder = join(stateFolder(environment), "monitor", "resumed");
  const input = join(folder, `${actionId}.prompt`);
  const call = await callFor(agent, answer === undefined ? ["--", message] : ["--answer", input]);
  if (typeof call === "string") return { ok: false, why: call };
  const cwd = nearestFolder(agent.cwd ?? "/");
  try {
    makePrivateFolder(folder);
    tidy(folder, TIDIED);
    const log = join(folder, `${actionId}.log`);
    writeFileSync(input, answer === undefined ? message : JSON.stringify(answer), { mode: 0o600 });
    const descriptors = [openSync(input, "r"), openSync(log, "a", 0o600)] as const;
    try {
      const [stdin, output] = descriptors;
      const child = spawn(call.file, call.args, {
        cwd,
        detached: true,
        stdio: [stdin, output, output],
        env: { ...environment, TENTERHOOK_AGENT_ID: agent.agent_id, TENTERHOOK_WOKEN_BY: actionId },
      });
      await once(child, "spawn");
      child.unref();
      return {
        ok: true,
        route: "resumed",
        output_path: log,
        ...(child.pid === undefined ? {} : agentProcess(child.pid)),
      };
    } finally {
      for (const descriptor of descriptors) closeSync(descriptor);
    }
  } catch (error) {
    return {
      ok: false,
      why: `The session could not be continued: ${startError(error, call.file, cwd).message}`,
    };
  }
}

/**
 * The call that continues an agent's session, or why it can't be continued.
 *
 * @param input the arguments that tell our own agent what to do; others read stdin.
 */
async function callFor({ agent_id, host = "", session_id }: AgentStatus, input: readonly string[]) {
  if (session_id === undefined) return `The session of ${agent_id} is not known, so it can't be continued.`;
  // It must not be read as an option.
  if (!/^\w[\w.:-]*$/.test(session_id))
    return `The session of ${agent_id} has an id that can't be passed on.`;
  if (host === "tenterhook") return ownProgram("resume", session_id, ...input);
  if (!AGENT_NAMES.includes(host)) return `Nobody knows how to continue a session of ${host || agent_id}.`;
  const { resume, program, table } = await integrationOf(host);
  if (resume === undefined) return `${table.title} can't continue a session without a terminal.`;
  return { file: program, args: resume(session_id) };
}
