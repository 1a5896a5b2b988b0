import { seal } from "../conversation/seal.ts";
import { storeFailed, takenOver } from "../loop/turn-ended.ts";
import { type AgentSession, emit } from "../session/session.ts";

/**
 * Gives the store what the conversation has and it has not, in order: results of a repaired transcript, and messages it
 * failed to keep. What it fails to keep again stays for the next time.
 *
 * @throws TurnEnded when the store failed, or another process has taken over the agent.
 */
export async function keepRepairs(session: AgentSession): Promise<void> {
  const { storage, options, identity } = session;
  const { unsaved } = storage;
  if (storage.taken_over) throw takenOver();
  for (let first = unsaved[0]; first !== undefined; first = unsaved[0]) {
    try {
      await options.store?.append(seal(first), identity);
    } catch (cause) {
      throw storeFailed("The conversation", cause);
    }
    if (unsaved[0] === first) unsaved.shift();
    if (session.listeners.size > 0) emit(session, { type: "message", message: first });
  }
}
