import type { ContextItem } from "../../core/events/outcomes.ts";
import { append } from "../conversation/append.ts";
import { inject } from "../conversation/context.ts";
import { userMessage } from "../conversation/new-message.ts";
import { fireAnyway } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { responseOf } from "../tool-calls/result.ts";
import { mustGoOn } from "./turn-ended.ts";

/**
 * Tells the model what came of work that went on beside the loop, in the order in which it was done. False when there is
 * nothing to tell.
 *
 * @throws TurnEnded when a hook ends the run.
 */
export async function deliverLateResults(session: AgentSession, turn: Turn): Promise<boolean> {
  const { done } = session.background;
  if (done.length === 0) return false;
  const context: ContextItem[] = [];
  for (let late = done[0]; late !== undefined; late = done[0]) {
    const { tool_name, tool_use_id, tool_input, result, agent_id } = late;
    const tool_response = responseOf(result);
    // The result is told whatever becomes of the turn: nobody keeps it for the next one.
    const decision = await fireAnyway(
      session,
      "PostBackgroundToolUse",
      { tool_name, tool_input, tool_use_id, tool_response },
      turn.firing,
    );
    context.push(...decision.context);
    const how = late.cut_off === true ? "was cut off" : result.is_error === true ? "failed" : "is done";
    const whose = agent_id === undefined ? "" : ` of the subagent ${agent_id}`;
    const text = `${tool_name} (${tool_use_id})${whose}, which ran in the background, ${how}:\n${result.content}`;
    done.shift();
    const message = userMessage(session, "runtime", [{ type: "text", text }]);
    await append(session, agent_id === undefined ? { ...message, delivers: tool_use_id } : message);
    if (turn.signal.aborted) session.pending_context.push(...context);
    mustGoOn(turn);
  }
  await inject(session, context);
  return true;
}
