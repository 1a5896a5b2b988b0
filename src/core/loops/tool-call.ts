import { errorMessage, ignore, stackTrace } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenJsonForm, isRecord, sameJson, thawedCopy } from "../base/json.ts";
import { type Approval, readApproval } from "../contracts/approval.ts";
import type { ToolInput, ToolOutput } from "../contracts/tool-types.ts";
import { answeringHook, askingHooks, type Decision } from "../decide/decision.ts";
import { fire } from "../decide/fire.ts";
import type { Engine, FireOptions } from "../decide/fired-event.ts";
import { EVENTS } from "../events/event-table.ts";
import type { EventContext } from "../events/payloads.ts";
import { Grants } from "../session/grants.ts";
import { failureText, isErrorResult, rewrittenError, rewrittenResult } from "./failed-call.ts";
import { takeLocks } from "./locks.ts";
import { ToolDeniedError } from "./tool-denied-error.ts";

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
    /**
     * Asks a human when a hook wants one asked. Without it the call is refused. An edited input passes the hooks again.
     */
    readonly approve?: (decision: Decision, input: Input) => Approval | Promise<Approval>;
    /** Gets every decision of this call, with its context and messages. */
    readonly onDecision?: (decision: Decision, event: ToolEvent) => void;
  };

let neverAborted: AbortSignal | undefined;

/** The signal of calls that can't be cancelled. */
function noSignal(): AbortSignal {
  neverAborted ??= new AbortController().signal;
  return neverAborted;
}

/**
 * Runs a tool under the hooks: PreToolUse, the tool, and PostToolUse; or Error and PostToolUseFailure when it fails.
 *
 * @returns the tool's result, or what a PostToolUse hook made of it.
 * @throws ToolDeniedError when a hook denies the call or ends the run, or asks and nobody grants it. Its `ran` is true
 * when it was a hook after the call that ended the run.
 * @throws TenterhookError `invalid_event` when hooks could match and the input has no JSON form; `invalid_answer` when
 * `approve` returns something else than a yes or no.
 * @throws the reason of the signal, or an AbortError, when the call is cancelled.
 * @throws what the tool throws, or an error with the text that a PostToolUseFailure hook wrote.
 */
export async function toolCall<Input extends object, Result>(
  engine: Engine,
  defaults: { readonly session_id: string; readonly cwd: string },
  call: ToolCall<Input, Result>,
): Promise<ToolOutput<Result>> {
  const { execute, approve, choose, onDecision, signal = noSignal(), values, agent, tool, ...given } = call;
  mustGoOn(signal);
  const event = { ...defaults, ...given };
  const isJudged = couldMatch(engine, event);
  const tellsErrors = watchesErrors(engine, event);
  if (!isJudged && !tellsErrors) {
    countCall(engine, event);
    return toTheEnd(await execute(call.tool_input, { signal }));
  }
  const options = { signal, values, agent, tool };
  const asker: AskedCall = {
    tool_name: call.tool_name,
    session_id: event.session_id,
    ...(approve === undefined ? {} : { approve: (decision, asked) => approve(decision, asked as Input) }),
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
    try {
      // A hook that rewrites an input or gives a result is responsible for its type.
      const final = (isJudged ? thawedCopy(passedInput) : passedInput) as Input;
      result =
        answered === undefined
          ? await toTheEnd(await execute(final, { signal }))
          : (thawedCopy(answered.answer) as ToolOutput<Result>);
    } catch (error) {
      const text = await failed(error);
      throw text === undefined ? error : rewrittenError(error, text);
    }
    if (isErrorResult(result)) {
      const text = await failed(result);
      // A hook that rewrites a result is responsible for its type.
      return text === undefined ? result : (rewrittenResult(result, text) as ToolOutput<Result>);
    }
    const by = answered && answeringHook(answered);
    const mark = by === undefined ? {} : { answered_by: by };
    const done = { hook_event_name: "PostToolUse", tool_response: result, duration_ms: duration() } as const;
    const after = await fire(engine, { ...about, ...done, ...mark }, options);
    // Hooks had no time to rewrite the result, so nobody gets it.
    mustGoOn(signal);
    goesOn(after, "PostToolUse");
    return "output" in after ? (after.output as ToolOutput<Result>) : result;
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

  /**
   * Hooks also learn of an interrupted tool, so they do not get the signal that interrupted it, and the call does not wait
   * for them. Returns the text that they wrote, if any.
   */
  async function failed(error: unknown): Promise<string | undefined> {
    const message = failureText(error);
    const error_type = error instanceof Error ? error.name : "ToolError";
    const { tool_input: _, tool_name: tool, ...whose } = event;
    if (tellsErrors && !signal.aborted) {
      const severity = error_type === "ToolError" ? "warning" : "error";
      const what = { error_type, error_message: message, severity, tool } as const;
      // Nobody says whether this tool may run twice.
      const told = { ...options, no_retry: true };
      const raised = { ...whose, ...what, ...stackTrace(error), hook_event_name: "Error" } as const;
      goesOn(await fire(engine, raised, told), "Error");
    }
    const is_interrupt = signal.aborted;
    const fields = { error: message, error_type, is_interrupt, duration_ms: duration() };
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

/** Counts a call no hook looks at, for the ceilings. */
function countCall({ sessions, ports }: Engine, event: CallFields): void {
  sessions.count(event, EVENTS.PreToolUse, ports.clock.monotonic());
}

type AskedCall = Pick<ToolCall, "tool_name" | "approve"> & { readonly session_id: string };

/**
 * Asks a human, unless one has granted this for the session. Returns the input if the human edited it.
 *
 * @throws ToolDeniedError, TenterhookError `invalid_answer`.
 */
async function askHuman(
  { sessions }: Engine,
  { tool_name, approve, session_id }: AskedCall,
  decision: Decision,
  tool_input: ToolInput,
): Promise<ToolInput | undefined> {
  const state = sessions.of(session_id);
  const asked = { tool_name, tool_input, asked_by: askingHooks(decision.runs) };
  if (state.grants?.covers(asked) === true) return undefined;
  const unasked = (why: string): string =>
    `${tool_name} needs the approval of a human, but ${why}, so it is refused.`;
  if (approve === undefined)
    throw new ToolDeniedError(tool_name, decision, { message: unasked("nobody can be asked") });
  let answer: unknown;
  try {
    answer = await approve(decision, tool_input);
  } catch (cause) {
    const message = unasked(`asking failed (${errorMessage(cause)})`);
    throw new ToolDeniedError(tool_name, decision, { cause, message });
  }
  const approval = readApproval(answer, "toolCall: approve");
  if (!approval.allow)
    throw new ToolDeniedError(tool_name, decision, {
      message: approval.feedback || "The user refused this call.",
    });
  state.grants ??= new Grants();
  state.grants.add({ ...asked, tool_input: approval.input ?? tool_input }, approval.for);
  return approval.input;
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
