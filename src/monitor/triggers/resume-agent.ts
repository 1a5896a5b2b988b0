import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { carriedArgs } from "../../adapters/carried-args.ts";
import { integrationOf } from "../../adapters/integrations.ts";
import { lastCharacters } from "../../core/base/text.ts";
import { isAgentName } from "../../core/events/agent-names.ts";
import { makePrivateFolder, nearestFolder, tidy } from "../../node/files/folders.ts";
import { endOfFile } from "../../node/files/regular-file.ts";
import { ownProgram } from "../../node/own-program.ts";
import { startError } from "../../node/process/program-error.ts";
import { stateFolder } from "../../node/user-folders.ts";
import type { SaidFields } from "../../shared/monitor/events.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { PendingAction } from "../../shared/monitor/pending-action.ts";
import { agentProcess } from "../report/agent-process.ts";

/** How an action of the monitor ended: fields of the event that reports it. */
export type ActionResult = Omit<SaidFields, "ok" | "why" | "moot"> & {
  readonly ok: boolean;
  /** Why it failed, a sentence for a human. */
  readonly why?: string;
  /** True when a human need not be asked about the failure: the agent waits for something else. */
  readonly moot?: true;
};

const TIDIED = { milliseconds: 30 * 24 * 60 * 60 * 1000, bytes: 100_000_000 };

/**
 * Continues an agent's session in a process of its own, which outlives this one; its output goes to a private file. Never
 * rejects.
 */
export async function resumeAgent(
  agent: AgentStatus,
  pending: PendingAction,
  environment: NodeJS.ProcessEnv,
): Promise<ActionResult> {
  const { id: actionId, message = "", answer } = pending;
  const folder = join(stateFolder(environment), "monitor", "resumed");
  const input = join(folder, `${actionId}.prompt`);
  const call = await callFor(agent, pending, answer === undefined ? ["--", message] : ["--answer", input]);
  if (typeof call === "string") return { ok: false, why: call };
  const cwd = nearestFolder(agent.cwd ?? "/");
  try {
    makePrivateFolder(folder);
    tidy(folder, TIDIED);
    const log = join(folder, `${actionId}.log`);
    const prompt = call.task ?? message;
    writeFileSync(input, answer === undefined ? prompt : JSON.stringify(answer), { mode: 0o600 });
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
      const code = await earlyExit(child);
      child.unref();
      if (code !== undefined && code !== 0) {
        const said = lastCharacters(endOfFile(log, 4 * SHOWN_CHARACTERS).trim(), SHOWN_CHARACTERS);
        return { ok: false, why: `${basename(call.file)} ended at once with code ${code}. ${said}`.trim() };
      }
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

/** A program that can't continue a session ends within this time. */
const EARLY_MILLISECONDS = 3000;
const SHOWN_CHARACTERS = 1000;

/** The exit code of a program that ends early; `undefined` for one that runs. */
function earlyExit(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), EARLY_MILLISECONDS);
    child.once("exit", (code) => {
      clearTimeout(timer);
      resolve(code ?? -1);
    });
  });
}

/** A call of a program; `task` when it starts over. */
interface Call {
  readonly file: string;
  readonly args: readonly string[];
  readonly task?: string;
}

/**
 * The call that continues an agent's session, or why it can't be continued. One that was killed before the model said
 * anything has nothing to continue: a human may have its task started again.
 *
 * @param input the arguments that tell our own agent what to do; others read stdin.
 */
async function callFor(
  agent: AgentStatus,
  { asked }: PendingAction,
  input: readonly string[],
): Promise<Call | string> {
  const { agent_id, host = "", session_id, task, args = [], watched } = agent;
  if (session_id === undefined) return `The session of ${agent_id} is not known, so it can't be continued.`;
  // It must not be read as an option.
  if (!/^\w[\w.:-]*$/.test(session_id))
    return `The session of ${agent_id} has an id that can't be passed on.`;
  if (host === "tenterhook") return ownProgram("sessions", "resume", session_id, ...input);
  if (!isAgentName(host)) return `Nobody knows how to continue a session of ${host || agent_id}.`;
  const { resume, begin, program, table, carried, continuable = "" } = await integrationOf(host);
  if (resume === undefined) return `${table.title} can't continue a session without a terminal.`;
  const kept = carried === undefined ? [] : carriedArgs(args, carried);
  // Under watch it has its hooks again, and its end is reported.
  const through = (argv: readonly string[]): Call =>
    watched === true
      ? ownProgram("run", "--name", agent_id, "--", program, ...argv)
      : { file: program, args: argv };
  if (hasBegun(agent, continuable)) return through(resume(session_id, kept));
  const why = `${agent_id} was ended before the model had said anything, so there is no session to continue.`;
  if (begin === undefined || task === undefined) return why;
  return asked === true
    ? { ...through(begin(kept)), task }
    : `${why} The answer resume starts its task again: ${task}`;
}

/** False when its transcript shows that there is nothing to continue. True without a known transcript. */
function hasBegun({ transcript_path }: AgentStatus, mark: string): boolean {
  if (transcript_path === undefined) return true;
  try {
    return readFileSync(transcript_path, "utf8").includes(mark);
  } catch {
    return false;
  }
}
