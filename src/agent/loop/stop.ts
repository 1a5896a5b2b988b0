import { internals } from "../../core/internals.ts";
import { NO_MESSAGES } from "../conversation/conversation.ts";
import { type MessageFromAssistant, textOf } from "../conversation/messages.ts";
import { fire } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";

/**
 * Asks Stop hooks, or SubagentStop hooks for a subagent, whether the turn may end. Returns their reasons when they keep it
 * going: the next user message. The engine enforces the ceilings; at the iteration limit the turn ends anyway.
 *
 * @throws TurnEnded when a hook ends the run.
 */
export async function keptGoing(
  session: AgentSession,
  turn: Turn,
  message: MessageFromAssistant,
  last: boolean,
): Promise<string | undefined> {
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
  const { keep_going } =
    name === "Stop"
      ? await fire(session, turn, name, fields)
      : await fire(session, turn, name, {
          ...fields,
          result: fields.last_assistant_message,
          ...(started_by === undefined ? {} : { tool_use_id: started_by }),
        });
  if (keep_going === undefined) return undefined;
  if (last) {
    const text = `Stop hooks wanted to go on, but the turn has reached its limit of ${session.limits.iterations} iterations.`;
    emit(session, { type: "notice", text, level: "warning" });
    return undefined;
  }
  turn.continuations += 1;
  return keep_going.reason;
}
