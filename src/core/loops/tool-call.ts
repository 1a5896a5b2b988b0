import { errorMessage, ignore, stackTrace } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenJsonForm, isRecord, sameJson, thawedCopy } from "../base/json.ts";
import type { Approval } from "../contracts/approval.ts";
import type { ToolInput, ToolOutput } from "../contracts/tool-types.ts";
import { answeringHook, type Decision } from "../decide/decision.ts";
import { fire } from "../decide/fire.ts";
import type { Engine, FireOptions } from "../decide/fired-event.ts";
import { EVENTS } from "../events/event-table.ts";
import type { EventContext } from "../events/payloads.ts";
import { type AskedCall, askHuman, checkAnswered } from "./ask-human.ts";
import { failureText, isErrorResult, notReplayed, rewrittenError, rewrittenResult } from "./failed-call.ts";
import { takeLocks } from "./locks.ts";
import { withinTime } from "./time-limit.ts";
import { type SuspendedCall, ToolDeniedError } from "./tool-errors.ts";

const TOOL_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;
type ToolEvent = (typeof TOOL_EVENTS)[number] | "Error";

/** A tool call of your own loop, to run under the hooks. */
export type ToolCall<Input extends object = ToolInput, Result = unknown> = Omit<
  EventContext,
  "session_id" | "cwd"
> &
  FireOptions & {
    /** Whose call it is. Default: one session for all calls of the set that name none. */
    readonly session_id?: string;
    /** Default: the folder of the process. */
    readonly cwd?: string;
    readonly tool_name: string;
    /** Plain data; dates and other values with `toJSON` become JSON. */
    readonly tool_input: Input;
    readonly tool_use_id?: string;
    /**
     * Runs the tool. The input is a copy of what the hooks passed; with no hook to ask, the caller's own object. An async
     * generator runs to its end; its last value is the result.
     */
    readonly execute: (input: Input, context: { readonly signal: AbortSignal }) => Result | Promise<Result>;
    /** The tool may run twice: a hook can have it tried again when it failed (`retry`). */
    readonly replay?: "safe";
    /**
     * Asks a human when a hook wants one asked. Without it the call is refused, or waits with `suspend`. An edited input
     * passes the hooks again. With `waiting_for`: the answer itself.
     */
    readonly approval?: Approval | ((decision: Decision, input: Input) => Approval | Promise<Approval>);
    /** True: a call that a human has to approve and nobody can be asked about throws a {@link ToolSuspendedError}. */
    readonly suspend?: boolean;
    /** What a suspended call waits for, when `approval` is the answer. It counts for the same input and the same hooks. */
    readonly waiting_for?: SuspendedCall;
    /** Gets every decision of this call, with its context and messages. */
    readonly onDecision?: (decision: Decision, event: ToolEvent) => void;
  };

/**
 * Runs a tool under the hooks: PreToolUse, the tool, and PostToolUse; or Error and PostToolUseFailure when it fails.
 *
 * @returns the tool's result, or what a PostToolUse hook made of it.
 * @throws ToolDeniedError when a hook denies the call or ends the run, or asks and nobody grants it. Its `ran` is true
 * when it was a hook after the call that ended the run.
 * @throws ToolSuspendedError when a hook asks, nobody can answer and `suspend` is set.
 * @throws ToolTimeoutError when the tool takes longer than hooks allow.
 * @throws TenterhookError `invalid_event` when hooks could match and the input has no JSON form; `invalid_answer` when
 * `approval` is or returns something else than a yes or no.
 * @throws the reason of the signal, or an AbortError, when the call is cancelled.
 * @throws what the tool throws, or an error with the text that a PostToolUseFailure hook wrote.
 */
export async function toolCall<Input extends object, Result>(
  engine: Engine,
  defaults: { readonly session_id: string; readonly cwd: string },
  call: ToolCall<Input, Result>,
): Promise<ToolOutput<Result>> {
  const {
    execute,
    replay,
    choose,
    onDecision,
    signal = new AbortController().signal,
    values,
    agent,
    tool,
    ...asked
  } = call;
  const { approval, suspend = false, waiting_for, ...given } = asked;
  mustGoOn(signal);
  checkAnswered(approval, waiting_for);
  const event = { ...defaults, ...given };
  const isJudged = couldMatch(engine, event);
  const tellsErrors = watchesErrors(engine, event);
  if (!isJudged && !tellsErrors) {
    // The ceilings count every call.
    engine.sessions.count(event, EVENTS.PreToolUse, engine.ports.clock.monotonic());
    return toTheEnd(await execute(call.tool_input, { signal }));
  }
  const options = { signal, values, agent, tool };
  const asker: AskedCall = {
    call: event,
    suspend,
    waiting_for,
    approval:
      typeof approval === "function" ? (decision, input) => approval(decision, input as Input) : approval,
    options,
  };
  // Copied once, so that hooks, human and tool get the same input even if the caller changes its object. What no hook
  // judges need not be plain data.
  const input = isJudged || !isRecord(call.tool_input) ? judgedInput(call.tool_input) : call.tool_input;
  let judged: Decision | undefined;
  const passedInput = await passed(input);
  const release = await locked(passedInput);
  const about = {
    ...event,
    tool_input: passedInput,
    ...(passedInput !== input && { original_input: input }),
  };
  const { clock } = engine.ports;
  const started = clock.monotonic();
  const duration = (): number => clock.monotonic() - started;
  try {
    return await ran();
  } finally {
    release();
  }

  async function ran(): Promise<ToolOutput<Result>> {
    const answered = judged?.answer === undefined ? undefined : judged;
    let result: ToolOutput<Result>;
    for (let attempt = 1; ; attempt += 1) {
      try {
        // A hook that rewrites an input or gives a result is responsible for its type.
        result =
          answered === undefined ? await executed() : (thawedCopy(answered.answer) as ToolOutput<Result>);
      } catch (error) {
        if (await isRetried(error, attempt)) continue;
        const text = await failed(error);
        throw text === undefined ? error : rewrittenError(error, text);
      }
      if (!isErrorResult(result)) break;
      if (await isRetried(result, attempt)) continue;
      const text = await failed(result);
      // A hook that rewrites a result is responsible for its type.
      return text === undefined ? result : (rewrittenResult(result, text) as ToolOutput<Result>);
    }
    const answered_by = answered && answeringHook(answered);
    const done = { hook_event_name: "PostToolUse", tool_response: result, duration_ms: duration() } as const;
    const after = await fire(engine, { ...about, ...done, answered_by }, options);
    // Hooks had no time to rewrite the result, so nobody gets it.
    mustGoOn(signal);
    goesOn(after, "PostToolUse");
    return "output" in after ? (after.output as ToolOutput<Result>) : result;
  }

  function executed(): Promise<ToolOutput<Result>> {
    const final = (isJudged ? thawedCopy(passedInput) : passedInput) as Input;
    const limit = { tool_name: call.tool_name, seconds: judged?.time_limit, signal, clock };
    return withinTime(limit, async (signal) => toTheEnd(await execute(final, { signal })));
  }

  /** @throws ToolDeniedError when another call has a lock that a hook wants for this one. */
  async function locked(tool_input: ToolInput): Promise<() => void> {
    if (judged === undefined || judged.answer !== undefined) return () => {};
    const taken = await takeLocks(engine, judged, { ...event, tool_input }, signal);
    if (typeof taken !== "string") return taken;
    throw new ToolDeniedError(call.tool_name, { ...judged, action: "deny", reason: taken });
  }

  /** The input that the hooks, and a human if one was asked, let pass. */
  async function passed(wanted: ToolInput, approved?: ToolInput): Promise<ToolInput> {
    const pre = { ...event, tool_input: wanted, hook_event_name: "PreToolUse" } as const;
    const decision = await fire(engine, pre, { ...options, choose });
    mustGoOn(signal);
    judged = decision;
    onDecision?.(decision, "PreToolUse");
    const asked = decision.input ?? wanted;
    if (decision.action === "deny" || decision.abort !== undefined)
      throw new ToolDeniedError(call.tool_name, decision);
    if (decision.action !== "ask" || sameJson(asked, approved)) return asked;
    const edited = await askHuman(engine, asker, decision, asked);
    mustGoOn(signal);
    return edited === undefined ? asked : passed(edited, edited);
  }

  /** Fires Error: true when a hook wants the tool to run again, and it may. */
  async function isRetried(error: unknown, attempt: number): Promise<boolean> {
    if (!tellsErrors || signal.aborted) return false;
    const error_type = errorType(error);
    const severity = error_type === "ToolError" ? "warning" : "error";
    const { tool_input: _, tool_name: tool, ...whose } = event;
    const what = { error_type, error_message: failureText(error), severity, tool, attempt } as const;
    const raised = { ...whose, ...what, ...stackTrace(error), hook_event_name: "Error" } as const;
    const decision = await fire(engine, raised, { ...options, no_retry: notReplayed(tool, replay) });
    return goesOn(decision, "Error").retry !== undefined && !signal.aborted;
  }

  /**
   * Hooks also learn of an interrupted tool, so they do not get the signal that interrupted it, and the call does not wait
   * for them. Returns the text that they wrote, if any.
   */
  async function failed(error: unknown): Promise<string | undefined> {
    const is_interrupt = signal.aborted;
    const what = { error: failureText(error), error_type: errorType(error) };
    const fields = { ...what, is_interrupt, duration_ms: duration() };
    const failure = { ...about, ...fields, hook_event_name: "PostToolUseFailure" } as const;
    if (!is_interrupt) return goesOn(await fire(engine, failure, options), "PostToolUseFailure").error;
    const telling = fire(engine, failure, { ...options, signal: undefined });
    ignore(telling.then((decision) => onDecision?.(decision, "PostToolUseFailure")));
    return undefined;
  }

  /** @throws ToolDeniedError when a hook after the call ended the run. */
  function goesOn(decision: Decision, name: ToolEvent): Decision {
    onDecision?.(decision, name);
    if (decision.abort !== undefined) throw new ToolDeniedError(call.tool_name, decision, { ran: true });
    return decision;
  }
}

/** Runs an async generator to its end. Its last value counts: what it returns, or else what it yielded last. */
async function toTheEnd<Result>(result: Result): Promise<ToolOutput<Result>> {
  // The conditional type can't be narrowed by a test of the value.
  if (!isAsyncGenerator(result)) return result as ToolOutput<Result>;
  let last: unknown;
  for (;;) {
    const { done, value } = await result.next();
    if (done !== true || value !== undefined) last = value;
    if (done === true) return last as ToolOutput<Result>;
  }
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, undefined> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.asyncIterator in value &&
    "next" in value &&
    typeof value.next === "function"
  );
}

/** @throws the reason of an aborted signal; an AbortError when that is no error. */
function mustGoOn({ aborted, reason }: AbortSignal): void {
  if (!aborted) return;
  throw reason instanceof Error ? reason : new DOMException(String(reason), "AbortError");
}

type CallFields = EventContext & { readonly tool_name: string };

/** True when a hook could look at this call, or something waits for the session's next event. */
function couldMatch({ registry, sessions }: Engine, { tool_name, session_id }: CallFields): boolean {
  if (registry.hasTasks() || sessions.of(session_id).pending !== undefined) return true;
  return TOOL_EVENTS.some((name) => registry.candidates(name, tool_name).length > 0);
}

/** True when somebody wants to know that this tool failed. */
function watchesErrors({ registry, decisionObservers }: Engine, { tool_name }: CallFields): boolean {
  return decisionObservers.size > 0 || registry.candidates("Error", tool_name).length > 0;
}

function errorType(error: unknown): string {
  return error instanceof Error ? error.name : "ToolError";
}

/** @throws TenterhookError `invalid_event` */
function judgedInput(input: object): ToolInput {
  let problem = "it is not an object";
  try {
    const copy = frozenJsonForm(input);
    if (isRecord(copy)) return copy;
  } catch (error) {
    problem = errorMessage(error);
  }
  throw new TenterhookError("invalid_event", `toolCall: tool_input can't be judged: ${problem}.`);
}
