import type { ContextItem } from "../core/decision.ts";
import { userMessage } from "./new-message.ts";
import type { AgentSession } from "./session.ts";
import { append } from "./store.ts";

/**
 * Puts what hooks say for the model at the end of the conversation, once: there it stays as long as it lives, and no
 * later request moves or repeats it. Items that live equally long share a message.
 */
export async function inject(session: AgentSession, items: readonly ContextItem[]): Promise<void> {
  for (let from = 0; from < items.length; ) {
    const first = items[from];
    if (first === undefined) return;
    let until = from + 1;
    while (alike(first, items[until])) until += 1;
    const { lifetime, recorded } = first;
    const parts = items
      .slice(from, until)
      .map(({ text, hook, role }) => ({ type: "context", text, hook, role }) as const);
    const message = userMessage(session, "hook", parts, lifetime);
    if (recorded) await append(session, message);
    else session.conversation.add(message, true);
    from = until;
  }
}

function alike(a: ContextItem, b: ContextItem | undefined): boolean {
  return b !== undefined && a.lifetime === b.lifetime && a.recorded === b.recorded;
}
