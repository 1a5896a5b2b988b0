import { createHash } from "node:crypto";
import { callsOf } from "../messages.ts";
import type { AgentSession, Turn } from "../session.ts";

/**
 * The id of the child that a call starts. It follows from the call, so that a call which runs again, in whatever process,
 * finds the child it had started.
 */
export function childId({ conversation, identity }: AgentSession, turn: Turn, tool_use_id: string): string {
  const message = conversation
    .transcript(turn.from)
    .findLast(
      (said) => said.role === "assistant" && callsOf(said).some((call) => call.tool_use_id === tool_use_id),
    );
  const digest = createHash("sha256")
    .update(JSON.stringify([identity.agent_id, message?.id ?? turn.id, tool_use_id]))
    .digest("hex");
  return `sub-${digest.slice(0, 24)}`;
}
