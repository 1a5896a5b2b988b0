import type { AgentSession } from "../session.ts";
import { keep } from "../store.ts";

/**
 * Gives the store what a repaired transcript has and it has not.
 *
 * @throws TurnEnded when the store failed.
 */
export async function keepRepairs(session: AgentSession): Promise<void> {
  const { store } = session.options;
  const { unkept } = session;
  session.unkept = [];
  if (store === undefined) return;
  for (const message of unkept) await keep(session, store, message);
}
