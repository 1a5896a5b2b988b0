import { errorMessage, stackTrace } from "../../../core/base/error-text.ts";
import type { EarlierCall, ToolContext } from "../../../core/contracts/tool.ts";
import { internals } from "../../../core/internals.ts";
import { withinTime } from "../../../core/loops/time-limit.ts";
import { readEnvFile } from "../../../node/env-file.ts";
import { raceAbort } from "../../../node/process/deadline.ts";
import { type AgentMessage, callsOf, type ResultMarks, type ToolCallPart } from "../../messages/messages.ts";
import { inToolSpan } from "../../telemetry/scope.ts";
import { boundedResult, type ReadResult, readResult } from "../../tools/check-result.ts";
import { resultOf } from "../../tools/tool.ts";
import { isPause, TurnEnded } from "../../turn-ended.ts";
import { type AgentSession, emit, sandboxOf, type Turn } from "../session/session.ts";
import type { Toolbox } from "../session/state.ts";
import type { PassedCall } from "./calls.ts";
import { CallHost } from "./tool-host.ts";

/** How long an interrupted tool may take to clean up. */
const TIDY_MILLISECONDS = 500;

export const INTERRUPTED = "The call was interrupted; what it has done until then is not known.";

export interface Ran {
  readonly result: ReadResult;
  readonly duration_ms: number;
  /** Set when it failed. */
  readonly error_type?: string;
  /** Of what it threw. */
  readonly stack_trace?: string;
  readonly interrupted?: true;
  readonly marks?: ResultMarks;
  /** Set when it waits for a human or a higher budget. It has done nothing yet, or continues when it runs again. */
  readonly paused?: TurnEnded;
}

/** Runs a tool, unless a hook has its result. Never rejects: every failure is a result the model can read. */
export async function runTool(turn: Turn, passed: PassedCall): Promise<Ran> {
  const { session } = turn;
  if (passed.answered !== undefined) return answeredResult(passed.answered.value, passed.tool.name);
  const { clock } = session;
  const started = clock.monotonic();
  const host = new CallHost(turn, passed);
  try {
    const context = toolContext(turn, passed, host);
    const limit = { tool_name: passed.tool.name, seconds: passed.time_limit, signal: turn.signal, clock };
    // Users write tools: one may return a plain value.
    const run = (signal: AbortSignal) => passed.tool.run(passed.input, { ...context, signal });
    const running = withinTime(limit, (signal) => inToolSpan(passed.call.tool_use_id, () => run(signal)));
    const given: unknown = await raceAbort(running, turn.signal, { clock, milliseconds: TIDY_MILLISECONDS });
    const duration_ms = clock.monotonic() - started;
    const { result, valid } = readResult(given, passed.tool.name);
    if (!valid) return { result, duration_ms, error_type: "InvalidResult" };
    if (turn.signal.aborted && result.is_error === true)
      return interrupted(duration_ms, `${result.content}\n\n${INTERRUPTED}`);
    if (result.is_error === true) return { result, duration_ms, error_type: "ToolError" };
    return { result, duration_ms, marks: host.marks };
  } catch (error) {
    const duration_ms = clock.monotonic() - started;
    if (turn.signal.aborted) return interrupted(duration_ms);
    if (error instanceof TurnEnded && isPause(error.reason))
      return { result: { content: error.message }, duration_ms, paused: error };
    const error_type = error instanceof Error ? error.name : "Error";
    const result = boundedResult({ is_error: true }, errorMessage(error));
    return { result, duration_ms, error_type, ...stackTrace(error) };
  }
}

function answeredResult(value: unknown, tool_name: string): Ran {
  const { result, valid } = readResult(resultOf(value), tool_name);
  const error_type = valid ? "ToolError" : "InvalidResult";
  return { result, duration_ms: 0, ...(valid && result.is_error !== true ? {} : { error_type }) };
}

function interrupted(duration_ms: number, content = INTERRUPTED): Ran {
  return {
    result: { content, is_error: true },
    duration_ms,
    error_type: "Interrupted",
    interrupted: true,
  };
}

/** True when a hook may still remove something from the result: nobody must see it before. */
function isHeld({ hooks }: AgentSession, { call: { tool_name } }: PassedCall): boolean {
  return (
    internals(hooks).wants("PostToolUse", tool_name) ||
    internals(hooks).wants("PostToolUseFailure", tool_name)
  );
}

function programEnvironment({ environment, programs }: Toolbox): Toolbox["environment"] {
  if (programs.env_file === undefined) return environment;
  return { ...environment, ...readEnvFile(programs.env_file, environment) };
}

function toolContext(turn: Turn, passed: PassedCall, host: CallHost): ToolContext {
  const { session } = turn;
  const { identity, toolbox, options } = session;
  const { workspace, memory } = toolbox;
  const { session_id, agent_id, cwd } = identity;
  const { tool_use_id } = passed.call;
  const { permissions, resume } = options;
  const context: ToolContext = {
    session_id,
    agent_id,
    tool_use_id,
    cwd,
    workspace,
    signal: turn.signal,
    sandbox: sandboxOf(session),
    environment: programEnvironment(toolbox),
    progress: (text, stream = "stdout") => {
      if (session.listeners.size > 0 && !isHeld(session, passed))
        emit(session, { type: "tool_progress", tool_use_id, text, stream });
    },
    memory,
    host,
  };
  if (permissions?.hides === undefined && resume === undefined) return context;
  const hides = (path: string): boolean => permissions?.hides?.(path, { cwd, workspace }) === true;
  const earlier = (): readonly EarlierCall[] => earlierCalls(session.conversation.transcript());
  return { ...context, hides, ...(resume === undefined ? {} : { earlier }) };
}

/** The calls of a conversation that came to a good end, the first one first: tools of a resumed agent remember nothing else. */
function earlierCalls(messages: readonly AgentMessage[]): readonly EarlierCall[] {
  const done: EarlierCall[] = [];
  const open = new Map<string, { readonly call: ToolCallPart; readonly called_at: string }>();
  for (const message of messages) {
    const { created_at } = message;
    if (message.role === "assistant")
      for (const call of callsOf(message)) open.set(call.tool_use_id, { call, called_at: created_at });
    if (message.role !== "tool") continue;
    const [{ tool_use_id, is_error }] = message.parts;
    const begun = open.get(tool_use_id);
    open.delete(tool_use_id);
    if (begun === undefined || is_error === true) continue;
    const { call, called_at } = begun;
    const { tool_name, tool_input } = call;
    done.push({ tool_name, tool_input, called_at, answered_at: created_at });
  }
  return done;
}
