import type { Usage } from "../../core/contracts/transcript.ts";
import type { HookEvent } from "../../core/events/payloads.ts";

/** What a usage logger writes of one answer of the model. */
export interface UsageLine {
  readonly timestamp: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly turn_id?: string;
  readonly duration_ms?: number;
  readonly usage: Usage;
}

/**
 * A PostModelResponse hook that logs what each answer used.
 *
 * @example hooks.on("PostModelResponse", usageLogger((line) => console.error(JSON.stringify(line))))
 */
export function usageLogger(
  write: (line: UsageLine) => void,
): (event: HookEvent<"PostModelResponse">) => undefined {
  return ({ timestamp, session_id, agent_id = session_id, turn_id, duration_ms, usage = {} }) => {
    write({
      timestamp,
      session_id,
      agent_id,
      turn_id,
      duration_ms,
      usage,
    });
    return undefined;
  };
}
