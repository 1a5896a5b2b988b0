import { TenterhookError } from "../../core/base/errors.ts";
import type { ReadTranscriptOptions, TranscriptStore } from "../../core/contracts/transcript.ts";
import { keptMessages } from "./kept-messages.ts";

/**
 * Forks an agent at a turn; answers the id of the new one.
 *
 * @param turn the last turn the fork has, from 1 on.
 * @throws TenterhookError `unknown_agent`, also for a turn that is not there; `store_damaged` when nobody hears of damage.
 */
export async function forkAt(
  store: Pick<TranscriptStore, "load" | "fork">,
  from: string,
  turn: number | undefined,
  read: ReadTranscriptOptions = {},
): Promise<string> {
  if (turn === undefined) return (await store.fork(from, read)).agent_id;
  const kept = await store.load(from, read);
  if (kept === undefined)
    throw new TenterhookError("unknown_agent", `No transcript is kept of agent "${from}".`);
  const turns = [...new Set(keptMessages(kept.messages, from).map(({ turn_id }) => turn_id))];
  const turn_id = turns[turn - 1];
  if (turn_id === undefined)
    throw new TenterhookError(
      "unknown_agent",
      `Agent "${from}" has no turn ${turn}: it has ${turns.length}.`,
      {
        hint: turns.length === 0 ? "Fork all of it: give no turn." : `Choose one from 1 to ${turns.length}.`,
      },
    );
  return (await store.fork(from, { ...read, turn_id })).agent_id;
}
