import { append } from "../conversation/append.ts";
import { assistantMessage, toolMessage } from "../conversation/new-message.ts";
import { modelName } from "../model/agent-model.ts";
import type { AgentSession } from "../session/session.ts";
import { keepRepairs } from "./keep-repairs.ts";

const NOT_RUN = "The call did not run: the user said something else.";
const CUT_OFF = "[The agent was stopped before it had answered.]";

/**
 * Closes a turn nobody goes on with, before another one begins: its calls get results and it gets a last word, so that no
 * two messages of the user follow each other.
 *
 * @throws TurnEnded when the store failed.
 */
export async function settleUnfinished(session: AgentSession): Promise<void> {
  const { pending, identity } = session;
  const { unfinished } = pending;
  await keepRepairs(session);
  pending.unfinished = undefined;
  pending.waiting = undefined;
  pending.not_begun = undefined;
  if (unfinished === undefined || unfinished.answer !== undefined) return;
  const present = identity.turn_id;
  session.identity.turn_id = unfinished.turn_id;
  for (const { tool_use_id, tool_name } of unfinished.rerun)
    await append(
      session,
      toolMessage(session, {
        type: "tool_result",
        tool_use_id,
        tool_name,
        content: NOT_RUN,
        is_error: true,
        outcome: "not_run",
      }),
    );
  const model = session.model === undefined ? "" : modelName(session.model);
  await append(
    session,
    assistantMessage(session, { model, ended: "cancelled", parts: [{ type: "text", text: CUT_OFF }] }),
  );
  session.conversation.endTurn();
  if (present !== undefined) session.identity.turn_id = present;
}
