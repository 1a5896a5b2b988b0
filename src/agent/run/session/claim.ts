import { takenOver } from "../../turn-ended.ts";
import { storePending } from "./append.ts";
import type { AgentSession } from "./session.ts";

/**
 * Takes the right to run an agent, if the store has such claims.
 *
 * @returns a function that gives it back.
 * @throws TenterhookError `agent_in_use`; `agent_changed` when another has run it since its conversation was read.
 */
export async function claimAgent(session: AgentSession): Promise<() => Promise<void>> {
  const { options, identity, storage } = session;
  const { claim_id } = storage;
  const claim = await options.store?.claim?.(identity, { after: claim_id });
  if (claim === undefined) return async () => {};
  storage.claim_id = claim.id;
  const end = (): void => {
    storage.taken_over = true;
    session.turn?.controller.abort(takenOver());
  };
  claim.lost.addEventListener("abort", end, { once: true });
  return async () => {
    claim.lost.removeEventListener("abort", end);
    await claim.release();
  };
}

/**
 * Works with an agent while no other process can.
 *
 * @throws TenterhookError as {@link claimAgent} does, before the work begins; what `work` throws.
 */
export async function whileClaimed<Result>(
  session: AgentSession,
  work: () => Promise<Result>,
): Promise<Result> {
  // Awaited, so that the stack of an error leads to the user's call.
  if (session.options.store?.claim === undefined) return await work();
  const release = await claimAgent(session);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Gives the store, between two runs, what it failed to store; not when another process has run the agent since, because
 * that one went on without it.
 *
 * @throws TenterhookError as {@link claimAgent} does; TurnEnded when the store fails again.
 */
export function saveBetweenRuns(session: AgentSession): Promise<void> {
  return whileClaimed(session, () => storePending(session));
}
