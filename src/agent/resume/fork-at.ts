import { TenterhookError } from "../../core/errors.ts";
import type { TranscriptStore } from "../../core/transcript.ts";
import { keptMessages } from "./kept-messages.ts";

/**
 * Forks an agent at a turn; answers the id of the new one.
 *
 * @param turn the last turn the fork has, from 1 on.
 * @throws TenterhookError `unknown_agent`, also for a turn that is not there.
 */
export async function forkAt(
  store: Pick<TranscriptStore, "load" | "fork">,
  from: string,
  turn: number | undefined,
): Promise<string> {
  if (turn === undefined) return (await store.fork(from)).agent_id;
  const kept = await store.load(from);
  if (kept === undefined)
    throw new TenterhookError("unknown_agent", `No transcript is kept of agent "${from}".`);
  const turns = [...new Set(keptMessages(kept.messages, from).map(({ turn_id }) => turn_id))];
  const turn_id = turns[turn - 1];
  if (turn_id === undefined)
    throw new TenterhookError(
      "unknown_agent",
      `Agent "${from}" has no turn ${turn}: it has ${turns.length}.`,
    );
  return (await store.fork(from, { turn_id })).agent_id;
}
