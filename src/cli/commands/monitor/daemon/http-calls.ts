import { request } from "node:http";
import type { Adapter, NativePayload } from "../../../../adapters/adapter.ts";
import { bridgeOf } from "../../../../adapters/agents.ts";
import { isRecord, parseJson } from "../../../../core/base/json.ts";
import type { AnswerHook } from "../../../../monitor/daemon/hook-route.ts";
import { daemonPlace } from "../../../../monitor/daemon/place.ts";
import { nearestFolder } from "../../../../node/files/nearest-folder.ts";
import { startDeadline } from "../../../../node/process/deadline.ts";
import { runProgram } from "../../../../node/process/run-program.ts";
import { ownProgram } from "../../../command-line/own-program.ts";
import {
  CALL_PATH,
  type CallReply,
  callBody,
  type HookCall,
  newCallId,
  replyIn,
} from "../../../hook/served/protocol.ts";
import { CALL_FLAG } from "../../../hook/startup/flags.ts";
import { REFUSED } from "../../../hook/startup/write-reply.ts";
import { folderIn, sessionProjects } from "./session-projects.ts";

const MOST_OUTPUT_BYTES = 64_000_000;
/** As long as the client of `tenterhook hook` waits for a decision. */
const SERVED_MILLISECONDS = 2000;

/**
 * Decides calls of agents that ask by HTTP: by the process that decides calls for the daemon, and what that leaves by
 * `tenterhook hook` in a process of its own. The variables are those of the daemon, with what is known of the agent.
 */
export function httpCalls(environment: NodeJS.ProcessEnv): AnswerHook {
  const served = servedCalls(environment);
  const projectOf = sessionProjects();
  return async ({ agent, text, seconds, agentId, folder, signal }) => {
    const bridge = await bridgeOf(agent);
    const { adapter, table, importing } = bridge;
    const payload = parseJson(text);
    if (!isRecord(payload)) throw new Error(`A payload of ${table.title} is not a JSON object.`);
    const { session_id } = payload;
    const project = await projectOf(bridge, payload, folder);
    const cwd = nearestFolder(folderIn(payload) ?? project);
    const { sessionVariable } = adapter;
    const call: HookCall = {
      id: newCallId(),
      cwd,
      text,
      variables: {
        environment: {
          ...environment,
          PWD: cwd,
          ...importing?.compared.variables(project),
          ...(sessionVariable !== undefined && typeof session_id === "string"
            ? { [sessionVariable]: session_id }
            : {}),
          ...(agentId === undefined ? {} : { TENTERHOOK_AGENT_ID: agentId }),
        },
      },
    };
    const deadline = startDeadline(signal, seconds * 1000);
    try {
      const written =
        (await served(call, deadline.signal)) ?? (await decidedInProcess(call, deadline.signal));
      return jsonOf(written, adapter, payload);
    } finally {
      deadline.end();
    }
  };
}

/** Asks the process that decides calls; `undefined` when it leaves the call to others. Never rejects. */
function servedCalls(
  environment: NodeJS.ProcessEnv,
): (call: HookCall, signal: AbortSignal) => Promise<CallReply | undefined> {
  const { hookSocket: socketPath } = daemonPlace(environment);
  return async (call, signal) => {
    if (socketPath === undefined) return undefined;
    const body = Buffer.from(callBody(call));
    return new Promise((resolve) => {
      const headers = { "content-length": body.length };
      const outgoing = request({ socketPath, method: "POST", path: CALL_PATH, headers, signal }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("error", () => resolve(undefined));
        reply.on("end", () => {
          const isWhole = reply.complete && reply.statusCode === 200;
          resolve(isWhole ? replyIn(Buffer.concat(chunks), reply.headers) : undefined);
        });
      });
      const timer = setTimeout(() => outgoing.destroy(), SERVED_MILLISECONDS);
      // While a program decides, the process says so.
      outgoing.on("information", () => void timer.refresh());
      outgoing.on("error", () => resolve(undefined));
      outgoing.on("close", () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      outgoing.end(body);
    });
  };
}

async function decidedInProcess(
  { id, cwd, variables, text }: HookCall,
  signal: AbortSignal,
): Promise<CallReply> {
  const { exit_code, stdout, stderr, aborted, stdout_truncated } = await runProgram({
    ...ownProgram("hook", CALL_FLAG, id),
    cwd,
    environment: variables.environment,
    input: text,
    signal,
    maxOutputBytes: MOST_OUTPUT_BYTES,
  });
  if (aborted || stdout_truncated || exit_code === null)
    throw new Error(`The process for the call ${id} did not decide it.`);
  return { exit_code, stdout: stdout.toString("utf8"), stderr: stderr.toString("utf8") };
}

/**
 * The reply to an HTTP request that means the same. For a command the agent reads a refusal from stderr.
 *
 * @throws when no reply means the same: the agent then refuses what a gate decides.
 */
function jsonOf({ stdout, stderr, exit_code }: CallReply, adapter: Adapter, payload: NativePayload): string {
  const problem = stderr.trim();
  const refusal = exit_code === REFUSED ? adapter.refuse(payload, problem) : undefined;
  if (exit_code !== 0 && refusal?.exit_code !== 0)
    throw new Error(`tenterhook hook ended with ${exit_code}: ${problem.slice(0, 1000)}`);
  const json = refusal?.stdout ?? stdout;
  if (json.trim() !== "" && !isRecord(JSON.parse(json))) throw new Error("The reply is not a JSON object.");
  return json;
}
