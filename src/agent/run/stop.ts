import type { Decision, HookRun } from "../../core/decide/decision.ts";
import { internals } from "../../core/internals.ts";
import { times } from "../../core/session/ceilings.ts";
import type { Verdict } from "../../handlers/judge/verdict.ts";
import { NO_MESSAGES } from "../conversation/conversation.ts";
import { callsIn, type MessageFromAssistant, textOf } from "../messages/messages.ts";
import { fire } from "./session/fire.ts";
import { emit, type Turn } from "./session/session.ts";

/** How a turn may end that Stop hooks were asked about. */
export interface Ended {
  readonly stop_reason: "complete" | "capped" | "stalled";
  readonly reason?: string;
}

/**
 * Asks Stop hooks, or SubagentStop hooks for a subagent, whether the turn may end. Returns how it ends, or their
 * reasons when they keep it going: the next user message. The engine enforces the ceilings; at the iteration limit the turn
 * ends anyway.
 *
 * @throws TurnEnded when a hook ends the run.
 */
export async function askStop(
  turn: Turn,
  message: MessageFromAssistant,
  last: boolean,
): Promise<Ended | { readonly keep_going: string }> {
  const { session } = turn;
  const { conversation, hooks, subagents } = session;
  const { started_by } = subagents;
  const name = subagents.depth > 0 ? "SubagentStop" : "Stop";
  const fields = {
    last_assistant_message: textOf(message),
    response: message,
    output_messages: internals(hooks).wants(name)
      ? [...conversation.transcript(turn.from), ...(turn.held === undefined ? [] : [turn.held])].filter(
          ({ role }) => role !== "user",
        )
      : NO_MESSAGES,
    stop_hook_active: turn.continuations > 0,
    continuations: turn.continuations,
    usage: turn.usage,
  };
  const decision =
    name === "Stop"
      ? await fire(turn, name, fields)
      : await fire(turn, name, {
          ...fields,
          ...workOf(turn),
          result: fields.last_assistant_message,
          tool_use_id: started_by,
        });
  const judged = await tellProgress(turn, decision);
  const { keep_going, ceiling } = decision;
  if (keep_going !== undefined && !last) {
    turn.continuations += 1;
    return { keep_going: keep_going.reason };
  }
  if (keep_going !== undefined) {
    const text = `Stop hooks wanted to go on, but the turn has reached its limit of ${session.limits.iterations} iterations.`;
    emit(session, { type: "notice", text, level: "warning" });
    return { stop_reason: "capped", reason: text };
  }
  if (ceiling !== undefined)
    return {
      stop_reason: ceiling.limit === "same_stop_reason" ? "stalled" : "capped",
      reason: ceiling.message,
    };
  const kept = turn.continuations;
  const agreed = kept === 0 ? undefined : `Stop hooks kept the turn going ${times(kept)}, then let it end.`;
  return { stop_reason: "complete", reason: judged ?? agreed };
}

/** What a turn has taken so far, for events about its end. */
export function workOf(turn: Turn) {
  const { conversation } = turn.session;
  return {
    tool_use_count: callsIn(conversation.transcript(turn.from)),
    iterations: turn.iterations,
    usage: turn.usage,
  };
}

/** Fires GoalProgress for each verdict. Returns what the judges say who agree, if there are any. */
async function tellProgress(turn: Turn, { runs }: Decision): Promise<string | undefined> {
  const said: string[] = [];
  for (const run of runs) {
    const verdict = verdictOf(run);
    if (verdict === undefined) continue;
    const { ok, reason } = verdict;
    const { continuations } = turn;
    const about = { achieved: ok, hook: run.name, continuations, reason };
    await fire(turn, "GoalProgress", about);
    if (ok) said.push(`${run.name}: ${reason || "no objection."}`);
  }
  return said.length === 0 ? undefined : said.join("\n");
}

/** The verdict of a model that a hook asked; `undefined` for other hooks, and for a judge that gave none. */
function verdictOf({ handler, verdict, outcome, failure, skipped, async }: HookRun): Verdict | undefined {
  if (verdict !== undefined) return verdict;
  const isJudge = handler === "llm" || handler === "agent";
  if (!isJudge || failure !== undefined || skipped !== undefined || async === true) return undefined;
  const reason = outcome?.keep_going ?? outcome?.reason;
  return { ok: outcome?.keep_going === undefined, reason };
}
