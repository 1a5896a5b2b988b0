import type { ContextItem } from "../../core/events/outcomes.ts";
import { internals } from "../../core/internals.ts";
import { inject } from "../conversation/append.ts";
import type { ToolCallPart } from "../conversation/messages.ts";
import { endingOf, mustGoOn } from "../loop/turn-ended.ts";
import { fire } from "../session/fire.ts";
import { type AgentSession, modeOf, type Turn } from "../session/session.ts";
import type { PassedCall, RefusedCall } from "./calls.ts";
import { gate, gateAfterOthers, gateInMode, whereTheyLead } from "./gate.ts";
import { groupsOf, runGroup } from "./group.ts";
import { memoryFileOf, tellWrittenMemory } from "./memory-update.ts";
import { batchEntry, type DoneCall, tellCall } from "./result.ts";

/**
 * Runs the calls of one message: all gates in order, then the tools, group by group. When this throws, calls without a result
 * get one from `endEarly`.
 *
 * @throws TurnEnded when a hook ends the run or the turn is interrupted.
 */
export async function runToolCalls(
  session: AgentSession,
  turn: Turn,
  calls: readonly ToolCallPart[],
): Promise<void> {
  const context: ContextItem[] = [];
  const done: DoneCall[] = [];
  try {
    const judged: (PassedCall | RefusedCall)[] = [];
    for (const call of calls) {
      if (session.listeners.size > 0) tellCall(session, turn, call);
      judged.push(await gate(session, turn, call, context));
    }
    const groups = groupsOf(judged);
    const led = groups.length > 1 ? whereTheyLead(session, judged) : new Map();
    for (const [at, group] of groups.entries()) {
      mustGoOn(turn);
      const ready: (PassedCall | RefusedCall)[] = [];
      for (const call of group)
        ready.push(await gateAgain(session, turn, at > 0 ? { call, led: led.get(call) } : { call }, context));
      done.push(...(await runGroup(session, turn, ready, context)));
    }
    mustGoOn(turn);
    if (judged.some((call) => "tool" in call && memoryFileOf(session, call) !== undefined))
      await tellWrittenMemory(session, turn);
    const tool_calls = internals(session.hooks).wants("PostToolBatch") ? done.map(batchEntry) : [];
    const decision = await fire(session, turn, "PostToolBatch", { tool_calls });
    context.push(...decision.context);
  } catch (error) {
    // Results must directly follow their calls, so the hooks' context waits for the next turn.
    session.inbox.context.push(...context);
    throw endingOf(error, turn.signal);
  }
  if (context.length > 0) await inject(session, context);
}

/** Judges a call again before it runs: earlier groups, or the user, may have changed files, permissions and the mode. */
async function gateAgain(
  session: AgentSession,
  turn: Turn,
  { call, led }: { readonly call: PassedCall | RefusedCall; readonly led?: string | undefined },
  context: ContextItem[],
): Promise<PassedCall | RefusedCall> {
  let judged = call;
  if ("tool" in judged && led !== undefined)
    judged = await gateAfterOthers(session, turn, judged, { led, context });
  while ("tool" in judged && judged.mode !== modeOf(session))
    judged = await gateInMode(session, turn, judged, context);
  return judged;
}
