import { takenOver } from "../loop/turn-ended.ts";
import { keepRepairs } from "../resume/keep-repairs.ts";
import type { AgentSession } from "./session.ts";

/**
 * Takes the right to run an agent, where a store keeps it.
 *
 * @returns the function that gives it back.
 * @throws TenterhookError `agent_in_use`; `agent_changed` when another has run it since its conversation was read.
 */
export async function claimAgent(session: AgentSession): Promise<() => Promise<void>> {
  const { options, identity, claim_id } = session;
  const claim = await options.store?.claim?.(identity, claim_id === undefined ? {} : { after: claim_id });
  if (claim === undefined) return async () => {};
  session.claim_id = claim.id;
  const end = (): void => {
    session.taken_over = true;
    session.turn?.controller.abort(takenOver());
  };
  claim.lost.addEventListener("abort", end, { once: true });
  return async () => {
    claim.lost.removeEventListener("abort", end);
    await claim.release();
  };
}

/**
 * Does something with an agent that nobody else does anything with meanwhile.
 *
 * @throws TenterhookError as {@link claimAgent} does, before anything was done; what `work` throws.
 */
export async function whileClaimed<Result>(
  session: AgentSession,
  work: () => Promise<Result>,
): Promise<Result> {
  if (session.options.store?.claim === undefined) return work();
  const release = await claimAgent(session);
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Gives a store what it failed to keep, between two runs: not when somebody else has run the agent since, who goes on from
 * a conversation without it.
 *
 * @throws TenterhookError as {@link claimAgent} does; TurnEnded when the store fails again.
 */
export function keepBetweenRuns(session: AgentSession): Promise<void> {
  return whileClaimed(session, () => keepRepairs(session));
}
