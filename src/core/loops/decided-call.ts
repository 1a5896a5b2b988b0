import { frozenCopy, isRecord, listOf, sameJson } from "../base/json.ts";
import { orCancelled } from "../decide/deadline.ts";
import { askingHooks, type Decision } from "../decide/decision.ts";
import { fire } from "../decide/fire.ts";
import type { Engine } from "../decide/fired-event.ts";
import { ACTION_RANK } from "../decide/merge.ts";
import { tellSuspended } from "./ask-human.ts";
import { type CallDefaults, type CallFields, judgedInput, mustGoOn, openCall } from "./call-parts.ts";
import type { DecidedCall } from "./judged-call.ts";
import type { CallToJudge } from "./tool-call-types.ts";

/**
 * Has the PreToolUse hooks judge a call that `toolCall` runs later, here or in another process.
 *
 * @throws TenterhookError `invalid_event` when the input has no JSON form.
 * @throws the reason of the signal, or an AbortError, when the call is cancelled.
 */
export async function decideCall<Input extends object>(
  engine: Engine,
  defaults: CallDefaults,
  given: CallToJudge<Input>,
): Promise<DecidedCall<Input>> {
  const { event, options } = openCall(defaults, given);
  mustGoOn(options.signal);
  const { tool_use_id = engine.ports.newId(), tool_name, ...whose } = event;
  const call = { ...whose, tool_name, tool_input: judgedInput(event.tool_input), tool_use_id };
  // Taken before they judge: a hook that comes meanwhile has not judged it.
  const judges = await judgesOf(engine, tool_name, options.signal);
  const judging = { ...options, choose: given.choose };
  const decision = await fire(engine, { ...call, hook_event_name: "PreToolUse" }, judging);
  mustGoOn(options.signal);
  const tool_input = decision.input ?? call.tool_input;
  const asked_by = decision.action === "ask" ? askingHooks(decision.runs) : [];
  const { grants } = engine.sessions.of(call.session_id);
  const isAsked = decision.action === "ask" && decision.abort === undefined;
  const needs_approval = isAsked && grants?.covers({ tool_name, tool_input, asked_by }) !== true;
  if (needs_approval && given.suspend === true) await tellSuspended(engine, { call, tool_input }, options);
  const { reason } = decision;
  const asked = { ...(reason !== undefined && { reason }), asked_by, decision, needs_approval, judges };
  // JSON of the input has its type, and a hook that rewrites an input is responsible for its type.
  return {
    call: { ...call, tool_input: call.tool_input as Input },
    tool_input: tool_input as Input,
    ...asked,
  };
}

/**
 * The decision of a decided call, if it is about this very call and every hook that could judge it now could do so then.
 * Otherwise `undefined`: the hooks have to be asked.
 */
export async function believed(
  engine: Engine,
  call: CallFields,
  decided: DecidedCall<object>,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const judges = listOf(decided.judges);
  const now = await judgesOf(engine, call.tool_name, signal);
  const hasAllJudges = now.every((name) => judges.includes(name));
  if (!hasAllJudges || !sameJson(decided.call, call) || !isWhole(decided.decision)) return undefined;
  return frozenCopy(decided.decision);
}

/** The hooks that could judge a call of this tool, with those of files, which may come with the next event. */
async function judgesOf(
  { registry }: Engine,
  tool_name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const tasks = registry.runTasks();
  if (tasks !== undefined) await orCancelled(tasks, signal);
  return registry.candidates("PreToolUse", tool_name).map(({ hook }) => hook.name);
}

/** What comes from a store may be cut off or of another version. */
function isWhole({ action, input, ...decision }: Partial<Decision> = {}): boolean {
  const { runs, context, user_messages } = decision;
  if (action === undefined || !Object.hasOwn(ACTION_RANK, action)) return false;
  return [runs, context, user_messages].every(Array.isArray) && (input === undefined || isRecord(input));
}
