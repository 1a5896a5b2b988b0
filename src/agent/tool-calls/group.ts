import { ignore } from "../../core/base/error-text.ts";
import type { ContextItem } from "../../core/events/outcomes.ts";
import { append } from "../conversation/append.ts";
import { toolMessage } from "../conversation/new-message.ts";
import { endingOf, type TurnEnded } from "../loop/turn-ended.ts";
import { hasWaited, saveBegun } from "../session/save-status.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import type { PassedCall, RefusedCall } from "./calls.ts";
import { concludeCall, type DoneCall, refusedResult } from "./result.ts";
import { runTool } from "./run-tool.ts";

type Call = PassedCall | RefusedCall;

/** Divides calls, in order: neighbours that may run in parallel are a group, every other call is one by itself. */
export function groupsOf(calls: readonly Call[]): readonly (readonly Call[])[] {
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

/**
 * Runs the calls of a group in parallel, with the hooks on each result when it comes. Results are stored in call order. When
 * one of them cannot be stored, the other calls are ended and still get their results.
 *
 * @throws TurnEnded when a call waits and all others have results, or when the store failed.
 */
export async function runGroup(
  session: AgentSession,
  turn: Turn,
  group: readonly Call[],
  context: ContextItem[],
): Promise<readonly DoneCall[]> {
  if (hasWaited(session)) await saveBegun(session, group);
  turn.started = group.map(({ call }) => call);
  const running = group.map((call) => runCall(session, turn, call));
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
      await append(session, toolMessage(session, ended.result.part));
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

async function runCall(session: AgentSession, turn: Turn, call: Call): Promise<EndedCall> {
  if (!("tool" in call)) return { result: refusedResult(session, call), context: [] };
  const ran = await runTool(session, turn, call);
  if (ran.paused !== undefined) return { paused: ran.paused, context: [] };
  const context: ContextItem[] = [];
  return { result: await concludeCall(session, turn, call, ran, context), context };
}
