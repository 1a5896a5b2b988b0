import { createHash } from "node:crypto";
import { callsOf } from "../conversation/messages.ts";
import type { AgentSession, Turn } from "../session/session.ts";

/** What follows from a call that starts or resumes a subagent, in whatever process it runs. */
export interface TaskIds {
  /** The id of the child that the call starts, unless it names one. */
  readonly agent_id: string;
  /** The id of the child's turn that works on what the call asks for. */
  readonly turn_id: string;
}

/** The ids of a call, so that one which runs again finds the child it had started, and what that has done for it. */
export function taskIds({ conversation, identity }: AgentSession, turn: Turn, tool_use_id: string): TaskIds {
  const message = conversation
    .transcript(turn.from)
    .findLast(
      (said) => said.role === "assistant" && callsOf(said).some((call) => call.tool_use_id === tool_use_id),
    );
  const digest = createHash("sha256")
    .update(JSON.stringify([identity.agent_id, message?.id ?? turn.id, tool_use_id]))
    .digest("hex")
    .slice(0, 24);
  return { agent_id: `sub-${digest}`, turn_id: `task-${digest}` };
}
