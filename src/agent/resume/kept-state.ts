import type { Transcript } from "../../core/transcript.ts";
import { isKeptWaiting, type KeptWaiting } from "../waiting-for.ts";
import { keptMessages } from "./kept-messages.ts";
import { restore } from "./unfinished.ts";
import { unheardIn } from "./unheard.ts";

/**
 * What a kept agent waits for. A fork does not wait for a subagent of the original, which it can't reach: it starts its
 * own.
 */
export function waitingIn({ metadata }: Transcript): KeptWaiting | undefined {
  const { waiting_for, agent_id } = metadata;
  if (!isKeptWaiting(waiting_for)) return undefined;
  const { type, waiting_agent_id = agent_id } = waiting_for;
  return type === "subagent" && waiting_agent_id !== agent_id ? undefined : waiting_for;
}

/**
 * True when there is something to go on with.
 *
 * @throws TenterhookError `store_damaged` for what is no message of an agent.
 */
export function isLeftOpen(kept: Transcript): boolean {
  const { metadata, messages } = kept;
  if (unheardIn(kept) !== undefined) return true;
  const { status, updated_at: now } = metadata;
  const restored = restore(keptMessages(messages, metadata.agent_id), { status, mayRun: () => false, now });
  return restored.unfinished !== undefined;
}
