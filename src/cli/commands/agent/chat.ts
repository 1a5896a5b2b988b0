import { type CommandRun, textOption } from "../../command-line/command.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { chatPort } from "./chat/chat-port.ts";
import { sessionStore } from "./sessions/session-store.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, signal, names } = invocation;
  if (!screen.interactive || json)
    throw usageError(
      "chat needs a terminal.",
      'tenterhook run "a task" works in a pipe, and with --json for programs.',
    );
  const { newConversation, showChat } = await import("../../../terminal/screens.ts");
  const store = sessionStore(environment);
  const chat = newConversation(chatPort(invocation, store));
  const wanted = textOption(invocation, "resume");
  const shown = showChat(chat, { paint: screen.paint, signal });
  try {
    await chat.reopen(wanted === undefined ? { type: "new" } : { type: "resume", id: wanted });
    const task = names.join(" ").trim();
    if (task !== "") void chat.submit(task);
    await shown;
  } finally {
    chat.leave();
    await shown;
    await chat.close();
    await store.close();
  }
};
