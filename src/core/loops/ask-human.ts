import { errorMessage } from "../base/error-text.ts";
import { listOf, sameJson } from "../base/json.ts";
import { type Approval, type Approved, type Refused, readApproval } from "../contracts/approval.ts";
import type { ToolInput } from "../contracts/tool-types.ts";
import { askingHooks, type Decision } from "../decide/decision.ts";
import { fire } from "../decide/fire.ts";
import type { Engine, FireOptions } from "../decide/fired-event.ts";
import { Grants } from "../session/grants.ts";
import type { CallFields } from "./call-parts.ts";
import type { SuspendedCall } from "./judged-call.ts";
import type { AskAboutCall } from "./tool-call-types.ts";
import { ToolDeniedError, ToolSuspendedError } from "./tool-errors.ts";

export interface AskedCall {
  readonly call: CallFields;
  readonly approval: Approval | AskAboutCall | undefined;
  readonly suspend: boolean;
  readonly waiting_for: SuspendedCall<object> | undefined;
  readonly options: FireOptions;
}

/**
 * Asks a human if the decision wants one, unless one has granted this for the session. An answer that was given already
 * counts as far as it can: a no refuses the call even if nothing asks any more. Returns the input if the human edited it.
 *
 * @throws ToolDeniedError, ToolSuspendedError, TenterhookError `invalid_answer`.
 */
export async function askHuman(
  engine: Engine,
  asker: AskedCall,
  decision: Decision,
  tool_input: ToolInput,
): Promise<ToolInput | undefined> {
  const { approval, call, waiting_for } = asker;
  const { tool_name, session_id } = call;
  const state = engine.sessions.of(session_id);
  const asked = { tool_name, tool_input, asked_by: askingHooks(decision.runs) };
  const isAsked = decision.action === "ask";
  const isAnswer = typeof approval !== "function" && approval !== undefined;
  const given = isAnswer ? readApproval(approval, "toolCall: approval") : undefined;
  const counts = given !== undefined && (!isAsked || isAbout(waiting_for, asked));
  if (!counts && (!isAsked || state.grants?.covers(asked) === true)) return undefined;
  if (counts && isAsked) await resume(engine, asker, given);
  const answer = counts ? given : await answerTo(engine, asker, decision, asked);
  if (!answer.allow)
    throw new ToolDeniedError(tool_name, decision, {
      message: answer.feedback || "The user refused this call.",
    });
  if (isAsked) {
    state.grants ??= new Grants();
    state.grants.add({ ...asked, tool_input: answer.input ?? tool_input }, answer.for);
  }
  return answer.input;
}

type Asked = Pick<SuspendedCall, "tool_input" | "asked_by">;

async function answerTo(
  engine: Engine,
  asker: AskedCall,
  decision: Decision,
  asked: Asked,
): Promise<Approved | Refused> {
  const { call, approval, suspend } = asker;
  const { tool_name } = call;
  const unasked = (why: string): string =>
    `${tool_name} needs the approval of a human, but ${why}, so it is refused.`;
  if (typeof approval === "function") {
    let answer: unknown;
    try {
      answer = await approval(decision, asked.tool_input);
    } catch (cause) {
      const message = unasked(`asking failed (${errorMessage(cause)})`);
      throw new ToolDeniedError(tool_name, decision, { cause, message });
    }
    return readApproval(answer, "toolCall: approval");
  }
  if (suspend) throw await suspended(engine, asker, decision, asked);
  const why = approval === undefined ? "nobody can be asked" : "the answer was given to another question";
  throw new ToolDeniedError(tool_name, decision, { message: unasked(why) });
}

/** True when the answer to this was given: the same input, and nobody asks who did not ask then. */
function isAbout(waiting_for: SuspendedCall<object> | undefined, { tool_input, asked_by }: Asked): boolean {
  if (waiting_for === undefined || !sameJson(waiting_for.tool_input, tool_input)) return false;
  const asked_then = listOf(waiting_for.asked_by);
  return asked_by.every((name) => asked_then.includes(name));
}

async function suspended(
  engine: Engine,
  { call, options }: AskedCall,
  { reason }: Decision,
  { tool_input, asked_by }: Asked,
): Promise<ToolSuspendedError> {
  const { tool_use_id = engine.ports.newId(), tool_input: given } = call;
  const waiting_for: SuspendedCall = {
    call: { ...call, tool_input: { ...given }, tool_use_id },
    tool_input,
    reason,
    asked_by,
  };
  await tellSuspended(engine, waiting_for, options);
  return new ToolSuspendedError(waiting_for);
}

/** Tells the Suspend hooks that a call waits. */
export async function tellSuspended(
  engine: Engine,
  { call, tool_input }: Pick<SuspendedCall, "call" | "tool_input">,
  options: FireOptions,
): Promise<void> {
  const { tool_use_id, tool_name, tool_input: _, ...context } = call;
  const pending_tool_calls = [{ tool_use_id, tool_name, tool_input }];
  await fire(engine, { ...context, pending_tool_calls, hook_event_name: "Suspend" }, options);
}

async function resume(
  engine: Engine,
  { call, options }: AskedCall,
  answer: Approved | Refused,
): Promise<void> {
  const { tool_use_id = "", tool_name: _, tool_input: __, ...context } = call;
  const answers = { [tool_use_id]: answer };
  await fire(engine, { ...context, answers, hook_event_name: "Resume" }, options);
}
