import type { Invocation } from "../../command-line/command.ts";
import { chatPort } from "./chat/chat-port.ts";
import { sessionStore } from "./sessions/session-store.ts";

/** A chat on this terminal: a new one, or a session that goes on. */
export async function chat(invocation: Invocation, resumed?: string): Promise<void> {
  const { screen, environment, signal } = invocation;
  const { newConversation, showChat } = await import("../../../terminal/screens.ts");
  const store = sessionStore(environment);
  const conversation = newConversation(chatPort(invocation, store));
  const shown = showChat(conversation, { paint: screen.paint, signal });
  try {
    await conversation.reopen(resumed === undefined ? { type: "new" } : { type: "resume", id: resumed });
    await shown;
  } finally {
    conversation.leave();
    await shown;
    await conversation.close();
    await store.close();
  }
}
