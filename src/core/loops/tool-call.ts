import { errorMessage, ignore } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenCopy, frozenJson, isRecord, thawedCopy } from "../base/json.ts";
import type { Decision } from "../decide/decision.ts";
import type { Engine, FireOptions } from "../decide/event-scope.ts";
import { fire } from "../decide/fire.ts";
import { EVENTS } from "../events/event-table.ts";
import type { EventContext, ToolInput } from "../events/payloads.ts";
import { countEvent } from "../session/ceilings.ts";
import { agentState, hasPending } from "../session/state.ts";

const TOOL_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;
type ToolEvent = (typeof TOOL_EVENTS)[number];

/** A tool call of your own loop, to run under the hooks. */
export type ToolCall<Result> = Omit<EventContext, "session_id" | "cwd"> &
  FireOptions & {
    /** Whose call it is. Default: one session for all calls of the set that name none. */
    readonly session_id?: string;
    /** Default: the folder of the process. */
    readonly cwd?: string;
    readonly tool_name: string;
    readonly tool_input: ToolInput;
    readonly tool_use_id?: string;
    /** Runs the tool. The input is a copy of what the hooks passed; with no hook to ask, the caller's own object. */
    readonly execute: (
      input: Record<string, unknown>,
      context: { readonly signal: AbortSignal },
    ) => Result | Promise<Result>;
    /** Asks a human when a hook wants one asked. Not given, or anything but true: not granted. */
    readonly approve?: (decision: Decision, input: ToolInput) => boolean | Promise<boolean>;
    /** Gets every decision of this call, with its context and messages. */
    readonly onDecision?: (decision: Decision, event: ToolEvent) => void;
  };

/** Thrown by `toolCall` when a hook refused the call or ended the run. The message is the hook's reason. */
export class ToolDeniedError extends TenterhookError {
  readonly tool_name: string;
  readonly decision: Decision;
  /** True when the tool had run already, and a hook ended the run after it. */
  readonly ran: boolean;

  constructor(
    tool_name: string,
    decision: Decision,
    options: { readonly cause?: unknown; readonly ran?: boolean } = {},
  ) {
    super("tool_denied", decision.reason ?? decision.abort?.reason ?? "Tool call denied by hook", options);
    this.name = "ToolDeniedError";
    this.tool_name = tool_name;
    this.decision = decision;
    this.ran = options.ran ?? false;
  }
}

let neverAborted: AbortSignal | undefined;

/** The signal of calls that can't be cancelled. */
function noSignal(): AbortSignal {
  neverAborted ??= new AbortController().signal;
  return neverAborted;
}

/**
 * Runs a tool under the hooks: PreToolUse, the tool, PostToolUse or PostToolUseFailure.
 *
 * @returns the tool's result, or what a PostToolUse hook made of it.
 * @throws ToolDeniedError when a hook denies the call or ends the run, or asks and nobody grants it. Its `ran` is true
 * when it was a PostToolUse hook that ended the run.
 * @throws TenterhookError `invalid_event` when hooks could match and the input is not plain JSON data.
 * @throws what the tool throws.
 */
export async function toolCall<Result>(
  engine: Engine,
  defaults: { readonly session_id: string; readonly cwd: string },
  call: ToolCall<Result>,
): Promise<Result> {
  const { execute, approve, onDecision, signal = noSignal(), values, agent, tool, ...given } = call;
  const event = { ...defaults, ...given };
  const isJudged = couldMatch(engine, event);
  if (!isJudged && engine.decisionObservers.isEmpty) {
    countCall(engine, event);
    return execute(call.tool_input, { signal });
  }
  const options = { signal, values, agent, tool };
  // Copied once, so that hooks, human and tool get the same input even if the caller changes its object. What no hook
  // judges need not be plain data.
  const input = isJudged ? judgedInput(call.tool_input) : call.tool_input;

  const decision = await fire(
    engine,
    { ...event, tool_input: input, hook_event_name: "PreToolUse" },
    options,
  );
  onDecision?.(decision, "PreToolUse");
  const passedInput = decision.input ?? input;
  await mustPass(call, decision, passedInput);

  const about = {
    ...event,
    tool_input: passedInput,
    ...(decision.input && { original_input: input }),
  };
  const { clock } = engine.ports;
  const started = clock.monotonic();
  const passed = (): number => clock.monotonic() - started;
  let result: Result;
  try {
    result = await execute(isJudged ? thawedCopy(passedInput) : passedInput, { signal });
  } catch (error) {
    await failed(error);
    throw error;
  }
  if (isErrorResult(result)) {
    await failed(result);
    return result;
  }
  const done = { hook_event_name: "PostToolUse", tool_response: result, duration_ms: passed() } as const;
  const after = await fire(engine, { ...about, ...done }, options);
  onDecision?.(after, "PostToolUse");
  if (after.abort !== undefined) throw new ToolDeniedError(call.tool_name, after, { ran: true });
  // A hook that rewrites a result is responsible for its type.
  return "output" in after ? (after.output as Result) : result;

  /** Hooks also learn of an interrupted tool, so they do not get the signal that interrupted it, and the call does not wait for them. */
  async function failed(error: unknown): Promise<void> {
    const firing = fire(
      engine,
      {
        ...about,
        hook_event_name: "PostToolUseFailure",
        error: failureText(error),
        error_type: error instanceof Error ? error.name : "ToolError",
        is_interrupt: signal.aborted,
        duration_ms: passed(),
      },
      signal.aborted ? { ...options, signal: undefined } : options,
    );
    const telling = firing.then((failure) => onDecision?.(failure, "PostToolUseFailure"));
    if (signal.aborted) ignore(telling);
    else await telling;
  }
}

type CallFields = EventContext & { readonly tool_name: string };

/** True when a hook could look at this call, or something waits for the session's next event. */
function couldMatch({ registry, sessions }: Engine, { tool_name, session_id }: CallFields): boolean {
  if (registry.hasTasks() || hasPending(sessions.of(session_id))) return true;
  return TOOL_EVENTS.some((name) => registry.candidates(name, tool_name).length > 0);
}

/** Counts a call no hook looks at, for the ceilings. */
function countCall({ sessions, ports }: Engine, event: CallFields): void {
  const agent = agentState(sessions.of(event.session_id), event.agent_id ?? event.session_id);
  countEvent(agent, EVENTS.PreToolUse, event, ports.clock.monotonic());
}

/** @throws ToolDeniedError */
async function mustPass<Result>(call: ToolCall<Result>, decision: Decision, input: ToolInput): Promise<void> {
  if (decision.action === "deny" || decision.abort !== undefined)
    throw new ToolDeniedError(call.tool_name, decision);
  if (decision.action !== "ask") return;
  let granted: boolean | undefined;
  try {
    granted = await call.approve?.(decision, input);
  } catch (cause) {
    throw new ToolDeniedError(call.tool_name, decision, { cause });
  }
  if (granted !== true) throw new ToolDeniedError(call.tool_name, decision);
}

/** @throws TenterhookError `invalid_event` */
function judgedInput(input: ToolInput): ToolInput {
  let problem = "it is not an object";
  try {
    const copy = frozenJson(input);
    if (isRecord(copy)) return copy;
  } catch (error) {
    problem = errorMessage(error);
  }
  throw new TenterhookError("invalid_event", `toolCall: tool_input can't be judged: ${problem}.`);
}

/** A tool may report its failure as a result, as tools of other loops do. */
function isErrorResult(result: unknown): boolean {
  return isRecord(result) && (result.is_error === true || result.isError === true);
}

function failureText(error: unknown): string {
  if (!isRecord(error) || error instanceof Error) return errorMessage(error);
  const said = error.error ?? error.content ?? error.message ?? error;
  return typeof said === "string" ? said : JSON.stringify(frozenCopy(said));
}
