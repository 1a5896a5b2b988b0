import { createHash } from "node:crypto";
import { type AgentMessage, callsOf } from "../conversation/messages.ts";
import type { AgentSession } from "../session/session.ts";

/** The ids of a child and its turn follow from the call: in a new process the same call finds its child and its work. */
export function idsOfTask(
  agent_id: string,
  message_id: string,
  tool_use_id: string,
): { readonly agent_id: string; readonly turn_id: string } {
  const digest = createHash("sha256")
    .update(JSON.stringify([agent_id, message_id, tool_use_id]))
    .digest("hex")
    .slice(0, 24);
  return { agent_id: `sub-${digest}`, turn_id: `task-${digest}` };
}

/** The conversation of an agent before the answer that started a child; the child's id says which one that was. */
export function conversationBefore(
  { conversation, identity }: AgentSession,
  child_id: string,
): readonly AgentMessage[] {
  const messages = conversation.transcript();
  const at = messages.findIndex(
    (message) =>
      message.role === "assistant" &&
      callsOf(message).some(
        ({ tool_use_id }) => idsOfTask(identity.agent_id, message.id, tool_use_id).agent_id === child_id,
      ),
  );
  return messages.slice(0, Math.max(at, 0));
}
