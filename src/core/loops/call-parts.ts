import { errorMessage } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenJsonForm, isRecord } from "../base/json.ts";
import type { ToolInput } from "../contracts/tool-types.ts";
import type { FireOptions } from "../decide/fired-event.ts";
import type { EventContext } from "../events/payloads.ts";
import type { CallToJudge, ToolCall } from "./tool-call-types.ts";

/** What a call is when it does not say. */
export interface CallDefaults {
  readonly session_id: string;
  readonly cwd: string;
}

/** The fields of the events about a call. */
export type CallFields<Input extends object = object> = EventContext & {
  readonly cwd: string;
  readonly tool_name: string;
  readonly tool_input: Input;
  readonly tool_use_id?: string;
};

type CallOptions = Pick<FireOptions, "values" | "agent" | "tool"> & { readonly signal: AbortSignal };

/** Parts a call into what its events say and what goes along with them. */
export function openCall<Input extends object>(
  defaults: CallDefaults,
  call: CallToJudge<Input> & Partial<ToolCall<Input>>,
): { readonly event: CallFields<Input>; readonly options: CallOptions } {
  const {
    signal = new AbortController().signal,
    values,
    agent,
    tool,
    choose: _choose,
    execute: _execute,
    replay: _replay,
    approval: _approval,
    suspend: _suspend,
    waiting_for: _waiting,
    decided,
    session_id = defaults.session_id,
    cwd = defaults.cwd,
    tool_use_id = decided?.call?.tool_use_id,
    ...given
  } = call;
  const id = tool_use_id === undefined ? {} : { tool_use_id };
  return { event: { ...given, session_id, cwd, ...id }, options: { signal, values, agent, tool } };
}

/** @throws the reason of an aborted signal; an AbortError when that is no error. */
export function mustGoOn({ aborted, reason }: AbortSignal): void {
  if (!aborted) return;
  throw reason instanceof Error ? reason : new DOMException(String(reason), "AbortError");
}

/**
 * A frozen copy of an input as JSON carries it.
 *
 * @throws TenterhookError `invalid_event` when it has no JSON form.
 */
export function judgedInput(input: object): ToolInput {
  let problem = "it is not an object";
  try {
    const copy = frozenJsonForm(input);
    if (isRecord(copy)) return copy;
  } catch (error) {
    problem = errorMessage(error);
  }
  throw new TenterhookError("invalid_event", `toolCall: tool_input can't be judged: ${problem}.`);
}
