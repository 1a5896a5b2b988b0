import type { ContextItem } from "../../core/events/outcomes.ts";
import { append, inject } from "../conversation/append.ts";
import type { ToolCallPart } from "../conversation/messages.ts";
import { toolMessage } from "../conversation/new-message.ts";
import { endingOf, mustGoOn, type TurnSuspended } from "../loop/turn-ended.ts";
import { fire } from "../session/fire.ts";
import { hasWaited, saveBegun } from "../session/save-status.ts";
import { type AgentSession, modeOf, type Turn } from "../session/session.ts";
import type { PassedCall, RefusedCall } from "./calls.ts";
import { gate, gateAfterOthers, gateInMode, whereTheyLead } from "./gate.ts";
import { memoryFileOf, tellWrittenMemory } from "./memory-update.ts";
import { batchEntry, concludeCall, type DoneCall, refusedResult, tellCall } from "./result.ts";
import { type Ran, runTool } from "./run-tool.ts";

/**
 * Runs the calls of one message: all gates in order, then the tools (in parallel if all only read), then the hooks on
 * the results, in call order. When this throws, calls without a result get one from `endEarly`.
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
  let running: readonly (Promise<Ran> | undefined)[] = [];
  try {
    const judged: (PassedCall | RefusedCall)[] = [];
    for (const call of calls) {
      if (session.listeners.size > 0) tellCall(session, turn, call);
      judged.push(await gate(session, turn, call, context));
    }
    const together = judged.length > 1 && judged.every(readsOnly);
    const waited = hasWaited(session);
    if (together) {
      if (waited) await saveBegun(session, judged);
      running = judged.map((call) => started(session, turn, call));
      turn.started = calls;
    }
    const led = together || judged.length === 1 ? undefined : whereTheyLead(session, judged);
    let suspended: TurnSuspended | undefined;
    for (let at = 0; at < judged.length; at += 1) {
      let call = judged[at];
      if (call === undefined) break;
      if (!together) mustGoOn(turn);
      if (at > 0 && led !== undefined && "tool" in call)
        call = await gateAfterOthers(session, turn, call, { led: led[at], context });
      while ("tool" in call && running[at] === undefined && call.mode !== modeOf(session))
        call = await gateInMode(session, turn, call, context);
      let result: DoneCall;
      if ("tool" in call) {
        if (waited && !together) await saveBegun(session, [call]);
        const ran = await (running[at] ?? runTool(session, turn, call));
        if (ran.suspended !== undefined) {
          // Parallel calls finish first; later ones have not begun.
          suspended ??= ran.suspended;
          if (together) continue;
          break;
        }
        result = await concludeCall(session, turn, call, ran, context);
      } else result = refusedResult(session, call);
      done.push(result);
      await append(session, toolMessage(session, result.part));
    }
    if (suspended !== undefined) throw suspended;
    turn.started = [];
    mustGoOn(turn);
    if (judged.some((call) => "tool" in call && memoryFileOf(session, call) !== undefined))
      await tellWrittenMemory(session, turn);
    const tool_calls = session.hooks.wants("PostToolBatch") ? done.map(batchEntry) : [];
    const decision = await fire(session, turn, "PostToolBatch", { tool_calls });
    context.push(...decision.context);
  } catch (error) {
    const ending = endingOf(error, turn.signal);
    // Stops the tools that still run.
    if (running.length > 0 && !turn.signal.aborted) turn.controller.abort(ending);
    // Results must directly follow their calls, so what hooks said waits for the next turn.
    session.inbox.context.push(...context);
    throw ending;
  }
  if (context.length > 0) await inject(session, context);
}

function readsOnly(call: PassedCall | RefusedCall): boolean {
  return !("tool" in call) || call.tool.annotations?.read_only === true;
}

function started(
  session: AgentSession,
  turn: Turn,
  call: PassedCall | RefusedCall,
): Promise<Ran> | undefined {
  return "tool" in call ? runTool(session, turn, call) : undefined;
}
