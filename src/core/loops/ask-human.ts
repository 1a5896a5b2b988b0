import { errorMessage } from "../base/error-text.ts";
import { invalidOption } from "../base/errors.ts";
import { sameJson } from "../base/json.ts";
import { type Approval, type Approved, type Refused, readApproval } from "../contracts/approval.ts";
import type { ToolInput } from "../contracts/tool-types.ts";
import { askingHooks, type Decision } from "../decide/decision.ts";
import { fire } from "../decide/fire.ts";
import type { Engine, FireOptions } from "../decide/fired-event.ts";
import type { EventContext } from "../events/payloads.ts";
import { Grants } from "../session/grants.ts";
import { type SuspendedCall, ToolDeniedError, ToolSuspendedError } from "./tool-errors.ts";

export interface AskedCall {
  readonly call: EventContext & {
    readonly tool_name: string;
    readonly tool_input: object;
    readonly tool_use_id?: string;
  };
  readonly approval:
    | Approval
    | ((decision: Decision, input: ToolInput) => Approval | Promise<Approval>)
    | undefined;
  readonly suspend: boolean;
  readonly waiting_for: SuspendedCall | undefined;
  readonly options: FireOptions;
}

/** @throws TenterhookError `invalid_option` for an answer without what was asked: it would approve anything. */
export function checkAnswered(approval: unknown, waiting_for: SuspendedCall | undefined): void {
  const isAnswer = approval !== undefined && typeof approval !== "function";
  if (isAnswer && waiting_for === undefined)
    throw invalidOption(
      "toolCall: an approval that is not a function needs waiting_for, which says what was approved.",
    );
}

/**
 * Asks a human, unless one has granted this for the session. Returns the input if the human edited it.
 *
 * @throws ToolDeniedError, ToolSuspendedError, TenterhookError `invalid_answer`.
 */
export async function askHuman(
  engine: Engine,
  asker: AskedCall,
  decision: Decision,
  tool_input: ToolInput,
): Promise<ToolInput | undefined> {
  const { tool_name, session_id } = asker.call;
  const state = engine.sessions.of(session_id);
  const asked = { tool_name, tool_input, asked_by: askingHooks(decision.runs) };
  if (state.grants?.covers(asked) === true) return undefined;
  const answer = await answerTo(engine, asker, decision, asked);
  if (!answer.allow)
    throw new ToolDeniedError(tool_name, decision, {
      message: answer.feedback || "The user refused this call.",
    });
  state.grants ??= new Grants();
  state.grants.add({ ...asked, tool_input: answer.input ?? tool_input }, answer.for);
  return answer.input;
}

type Asked = Pick<SuspendedCall, "tool_input" | "asked_by">;

async function answerTo(
  engine: Engine,
  asker: AskedCall,
  decision: Decision,
  asked: Asked,
): Promise<Approved | Refused> {
  const { call, approval, suspend, waiting_for } = asker;
  const { tool_name } = call;
  const unasked = (why: string): string =>
    `${tool_name} needs the approval of a human, but ${why}, so it is refused.`;
  if (typeof approval !== "function" && approval !== undefined && isAbout(waiting_for, asked)) {
    const answer = readApproval(approval, "toolCall: approval");
    await resume(engine, asker, answer);
    return answer;
  }
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
function isAbout(waiting_for: SuspendedCall | undefined, { tool_input, asked_by }: Asked): boolean {
  if (waiting_for === undefined || !sameJson(waiting_for.tool_input, tool_input)) return false;
  return asked_by.every((name) => waiting_for.asked_by.includes(name));
}

async function suspended(
  engine: Engine,
  { call, options }: AskedCall,
  { reason }: Decision,
  { tool_input, asked_by }: Asked,
): Promise<ToolSuspendedError> {
  const { tool_use_id = engine.ports.newId(), tool_name, tool_input: given, ...context } = call;
  const waiting_for: SuspendedCall = {
    call: { ...context, tool_name, tool_input: { ...given }, tool_use_id },
    tool_input,
    reason,
    asked_by,
  };
  const pending_tool_calls = [{ tool_use_id, tool_name, tool_input }];
  await fire(engine, { ...context, pending_tool_calls, hook_event_name: "Suspend" }, options);
  return new ToolSuspendedError(waiting_for);
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
