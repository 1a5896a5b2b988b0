import { ignore } from "../../../core/base/error-text.ts";
import type { ContextItem } from "../../../core/events/outcomes.ts";
import { internals } from "../../../core/internals.ts";
import type { ToolCallPart } from "../../messages/messages.ts";
import { endingOf, type TurnEnded } from "../../turn-ended.ts";
import { appendResult, inject } from "../session/append.ts";
import { fire } from "../session/fire.ts";
import { tellWrittenMemory } from "../session/memory-update.ts";
import { saveBegun } from "../session/save-status.ts";
import type { Turn } from "../session/session.ts";
import type { PassedCall, RefusedCall } from "./calls.ts";
import { gate, gateAfterOthers, gateInMode, refuse, whereTheyLead } from "./gate.ts";
import { modeOf } from "./permission.ts";
import { batchEntry, concludeCall, type DoneCall, refusedResult, tellCall } from "./result.ts";
import { runTool } from "./run-tool.ts";

type Call = PassedCall | RefusedCall;

/**
 * Runs the calls of one message: all gates in order, then the tools, group by group. When this throws, calls without a result
 * get one from `endEarly`.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function runToolCalls(turn: Turn, calls: readonly ToolCallPart[]): Promise<void> {
  const { session } = turn;
  const context: ContextItem[] = [];
  const done: DoneCall[] = [];
  try {
    const judged: Call[] = [];
    for (const call of calls) {
      if (session.listeners.size > 0) tellCall(turn, call);
      judged.push(await gate(turn, call, context));
    }
    const groups = groupsOf(judged);
    const led = groups.length > 1 ? whereTheyLead(session, judged) : new Map();
    const begun: Call[] = [];
    for (const [at, group] of groups.entries()) {
      turn.signal.throwIfAborted();
      const ready: Call[] = [];
      for (const call of group)
        ready.push(await gateAgain(turn, at > 0 ? { call, led: led.get(call) } : { call }, context));
      begun.push(...ready);
      done.push(...(await runGroup(turn, ready, context)));
    }
    turn.signal.throwIfAborted();
    if (begun.some((call) => "tool" in call && call.memory_file !== undefined)) await tellWrittenMemory(turn);
    const tool_calls = internals(session.hooks).wants("PostToolBatch") ? done.map(batchEntry) : [];
    const decision = await fire(turn, "PostToolBatch", { tool_calls });
    context.push(...decision.context);
  } catch (error) {
    // Results must directly follow their calls, so the hooks' context waits for the next turn.
    session.inbox.context.push(...context);
    throw endingOf(error, turn.signal);
  }
  if (context.length > 0) await inject(session, context);
}

/** Divides calls, in order: neighbours that may run in parallel are a group, every other call is one by itself. */
function groupsOf(calls: readonly Call[]): readonly (readonly Call[])[] {
  const groups: Call[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const alone = isSequential(call);
    if (isOpen && !alone) groups.at(-1)?.push(call);
    else groups.push([call]);
    isOpen = !alone;
  }
  return groups;
}

/** A tool that changes something runs alone unless it says otherwise. A refused call does not run. */
function isSequential(call: Call): boolean {
  if (!("tool" in call)) return false;
  const { read_only = false, sequential = !read_only } = call.tool.annotations ?? {};
  return sequential;
}

/** Judges a call again before it runs: earlier groups, or the user, may have changed files, permissions and the mode. */
async function gateAgain(
  turn: Turn,
  { call, led }: { readonly call: Call; readonly led?: string | undefined },
  context: ContextItem[],
): Promise<Call> {
  let judged = call;
  if ("tool" in judged && led !== undefined) judged = await gateAfterOthers(turn, judged, { led, context });
  while ("tool" in judged && judged.mode !== modeOf(turn.session))
    judged = await gateInMode(turn, judged, context);
  return judged;
}

/**
 * Runs the calls of a group in parallel, with the hooks on each result when it comes. Results are stored in call order. When
 * one of them cannot be stored, the other calls are ended and still get their results.
 *
 * @throws TurnEnded when a call waits and all others have results, or when the store failed.
 */
async function runGroup(
  turn: Turn,
  group: readonly Call[],
  context: ContextItem[],
): Promise<readonly DoneCall[]> {
  const { session } = turn;
  const { waiting = session.pending.not_begun } = session.pending;
  if (waiting !== undefined) await saveBegun(session, waiting, group);
  turn.started = group.map(({ call }) => call);
  const running = group.map((call) => runCall(turn, call));
  // Each is awaited below, perhaps after it has failed.
  for (const call of running) ignore(call);
  const done: DoneCall[] = [];
  let paused: TurnEnded | undefined;
  let failure: { readonly error: unknown } | undefined;
  for (const call of running)
    try {
      const ended = await call;
      context.push(...ended.context);
      paused ??= ended.paused;
      if (ended.result === undefined) continue;
      done.push(ended.result);
      await appendResult(session, ended.result.part);
    } catch (error) {
      failure ??= { error };
      if (group.length > 1 && !turn.signal.aborted) turn.controller.abort(endingOf(error, turn.signal));
    }
  if (failure !== undefined) throw failure.error;
  if (paused !== undefined) throw paused;
  turn.started = [];
  return done;
}

interface EndedCall {
  readonly result?: DoneCall;
  readonly context: readonly ContextItem[];
  readonly paused?: TurnEnded;
}

async function runCall(turn: Turn, call: Call): Promise<EndedCall> {
  const { session } = turn;
  if (!("tool" in call)) return { result: refusedResult(session, call), context: [] };
  const { tool, input: tool_input, runs, answered } = call;
  const { session_id, agent_id, cwd } = session.identity;
  const about = { session_id, agent_id, cwd, tool_name: tool.name, tool_input };
  const wanted = answered === undefined ? runs : [];
  const release = await internals(session.hooks).takeLocks({ runs: wanted }, about, turn.signal);
  if (typeof release === "string") {
    const refused = await refuse(turn, call, { by: "hook", reason: release });
    return { result: refusedResult(session, refused), context: [] };
  }
  try {
    const ran = await runTool(turn, call);
    if (ran.paused !== undefined) return { paused: ran.paused, context: [] };
    const context: ContextItem[] = [];
    return { result: await concludeCall(turn, call, ran, context), context };
  } finally {
    release();
  }
}
