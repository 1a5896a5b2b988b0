import type { ContextItem } from "../../core/events/outcomes.ts";
import type { AgentSession } from "../session/session.ts";
import { append } from "./append.ts";
import type { MessageFromUser } from "./messages.ts";
import { userMessage } from "./new-message.ts";

/**
 * Puts what hooks say for the model at the end of the conversation, once: there it stays as long as it lives, and no
 * later request moves or repeats it. Items that live equally long share a message. Answers what was added.
 */
export async function inject(
  session: AgentSession,
  items: readonly ContextItem[],
): Promise<readonly MessageFromUser[]> {
  const added: MessageFromUser[] = [];
  for (let from = 0; from < items.length; ) {
    const first = items[from];
    if (first === undefined) break;
    let until = from + 1;
    while (alike(first, items[until])) until += 1;
    const { lifetime, recorded } = first;
    const parts = items
      .slice(from, until)
      .map(({ text, hook, role }) => ({ type: "context", text, hook, role }) as const);
    const message = userMessage(session, "hook", parts, lifetime);
    if (recorded) await append(session, message);
    else session.conversation.add(message, true);
    added.push(message);
    from = until;
  }
  return added;
}

function alike(a: ContextItem, b: ContextItem | undefined): boolean {
  return b !== undefined && a.lifetime === b.lifetime && a.recorded === b.recorded;
}
