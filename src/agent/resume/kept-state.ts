import type { Tool } from "../../core/contracts/tool.ts";
import type { Transcript } from "../../core/contracts/transcript.ts";
import { isKeptWaiting, type KeptWaiting } from "../session/waiting-for.ts";
import { keptMessages } from "./kept-messages.ts";
import { type Restored, restore } from "./unfinished.ts";
import { unheardIn } from "./unheard.ts";

/**
 * A kept conversation made whole. Calls that waited for a human have not run, whatever their tool is.
 *
 * @throws TenterhookError `store_damaged` for what is no message of an agent.
 */
export function restoredFrom(
  { metadata, messages }: Transcript,
  now: string,
  tools: ReadonlyMap<string, Pick<Tool, "replay">> = new Map(),
): Restored {
  const { status, waiting_for, agent_id } = metadata;
  const notStarted = new Set(isKeptWaiting(waiting_for) ? waiting_for.not_started : []);
  return restore(keptMessages(messages, agent_id), {
    status,
    mayRun: ({ tool_name, tool_use_id }) =>
      notStarted.has(tool_use_id) || tools.get(tool_name)?.replay === "safe",
    now,
  });
}

/**
 * What a kept agent waits for: nothing once the call has begun or has a result. A fork does not wait for a subagent of the
 * original, which it can't reach: it starts its own.
 */
export function waitingIn({ metadata }: Transcript, { unfinished }: Restored): KeptWaiting | undefined {
  const { waiting_for, agent_id } = metadata;
  if (!isKeptWaiting(waiting_for)) return undefined;
  const { type, tool_use_id, waiting_agent_id = agent_id } = waiting_for;
  if (type === "subagent" && waiting_agent_id !== agent_id) return undefined;
  const open = unfinished?.rerun.some((call) => call.tool_use_id === tool_use_id) === true;
  return open ? waiting_for : undefined;
}

/** What was kept of an agent that waits for nobody any more, while calls are left that waited too and have not begun. */
export function notBegunIn(
  { metadata }: Transcript,
  restored: Restored | undefined,
): KeptWaiting | undefined {
  const { waiting_for } = metadata;
  if (!isKeptWaiting(waiting_for)) return undefined;
  const { not_started } = waiting_for;
  const left = restored?.unfinished?.rerun.some(({ tool_use_id }) => not_started.includes(tool_use_id));
  return left === true ? waiting_for : undefined;
}

/** What is left to do of a kept conversation, for whoever only looks. */
export interface KeptState {
  /** True when there is something to go on with. */
  readonly unfinished: boolean;
  /** What a human has to say first. */
  readonly waiting: KeptWaiting | undefined;
}

/**
 * Finds out what is left to do.
 *
 * @throws TenterhookError `store_damaged` for what is no message of an agent.
 */
export function keptState(kept: Transcript): KeptState {
  if (unheardIn(kept) !== undefined) return { unfinished: true, waiting: undefined };
  const restored = restoredFrom(kept, kept.metadata.updated_at);
  return { unfinished: restored.unfinished !== undefined, waiting: waitingIn(kept, restored) };
}
