import { ignore, stackTrace } from "../base/error-text.ts";
import { invalidOption } from "../base/errors.ts";
import { isRecord, sameJson, thawedCopy } from "../base/json.ts";
import type { ToolInput, ToolOutput } from "../contracts/tool-types.ts";
import { answeringHook, type Decision } from "../decide/decision.ts";
import { fire } from "../decide/fire.ts";
import type { Engine } from "../decide/fired-event.ts";
import { EVENTS } from "../events/event-table.ts";
import { type AskedCall, askHuman } from "./ask-human.ts";
import { type CallDefaults, type CallFields, judgedInput, mustGoOn, openCall } from "./call-parts.ts";
import { believed } from "./decided-call.ts";
import { failureText, isErrorResult, notReplayed, rewrittenError, rewrittenResult } from "./failed-call.ts";
import { takeLocks } from "./locks.ts";
import { withinTime } from "./time-limit.ts";
import type { ToolCall } from "./tool-call-types.ts";
import { ToolDeniedError } from "./tool-errors.ts";

const TOOL_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const;

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
  defaults: CallDefaults,
  call: ToolCall<Input, Result>,
  onDecision?: (decision: Decision) => void,
): Promise<ToolOutput<Result>> {
  const { execute, replay, approval, suspend = false, waiting_for, decided } = call;
  const { event, options } = openCall(defaults, call);
  const { signal } = options;
  mustGoOn(signal);
  checkCall(call);
  const asker: AskedCall = {
    call: event,
    suspend,
    waiting_for: decided ?? waiting_for,
    approval:
      typeof approval === "function" ? (decision, input) => approval(decision, input as Input) : approval,
    options,
  };
  const isJudged = asker.waiting_for !== undefined || couldMatch(engine, event);
  const tellsErrors = watchesErrors(engine, event);
  if (!isJudged && !tellsErrors) {
    // The ceilings count every call.
    engine.sessions.count(event, EVENTS.PreToolUse, engine.ports.clock.monotonic());
    return toTheEnd(await execute(call.tool_input, { signal }));
  }
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
    goesOn(after);
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
    const decision = await judge({ ...event, tool_input: wanted }, approved === undefined);
    mustGoOn(signal);
    judged = decision;
    onDecision?.(decision);
    const asked = decision.input ?? wanted;
    if (decision.action === "deny" || decision.abort !== undefined)
      throw new ToolDeniedError(call.tool_name, decision);
    if (approved !== undefined && (decision.action !== "ask" || sameJson(asked, approved))) return asked;
    const edited = await askHuman(engine, asker, decision, asked);
    mustGoOn(signal);
    return edited === undefined ? asked : passed(edited, edited);
  }

  /** What hooks have decided before about this call, or decide now. */
  async function judge(pre: CallFields<ToolInput>, isFirst: boolean): Promise<Decision> {
    const known = isFirst && decided && (await believed(engine, pre, decided, signal));
    if (known) return known;
    return fire(engine, { ...pre, hook_event_name: "PreToolUse" }, { ...options, choose: call.choose });
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
    return goesOn(decision).retry !== undefined && !signal.aborted;
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
    if (!is_interrupt) return goesOn(await fire(engine, failure, options)).error;
    ignore(fire(engine, failure, { ...options, signal: undefined }));
    return undefined;
  }

  /** @throws ToolDeniedError when a hook after the call ended the run. */
  function goesOn(decision: Decision): Decision {
    onDecision?.(decision);
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

/** @throws TenterhookError `invalid_option` for a call that nothing runs, or an answer without what was asked. */
function checkCall<Input extends object, Result>(call: ToolCall<Input, Result>): void {
  const { execute, approval, waiting_for, decided, tool_name } = call;
  if (typeof execute !== "function")
    throw invalidOption(`toolCall: ${tool_name} needs execute, the function that runs it.`);
  const isAnswer = approval !== undefined && typeof approval !== "function";
  if (isAnswer && waiting_for === undefined && decided === undefined)
    throw invalidOption(
      "toolCall: an approval that is not a function needs waiting_for or decided, which says what was approved.",
    );
}

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
