import { ignore } from "../../core/base/error-text.ts";
import { removeEnvFile } from "../../node/env-file.ts";
import { killMarkedNow, terminateMarked } from "../../node/process/terminate.ts";
import { deactivate } from "../skills/own-hooks.ts";
import type { Open } from "./process-exit.ts";
import type { AgentSession } from "./session.ts";
import type { Toolbox } from "./state.ts";

/**
 * What remains to be done for an agent that nobody has closed and that was freed: SessionEnd, and the end of what it has
 * started. It holds no part of the conversation.
 *
 * @param started when SessionStart was fired, on the monotonic clock.
 * @param unlisten removes the listener of the agent's options.
 */
export function remainsOf(
  { identity, hooks, clock, values, hook_limits, toolbox, memoryFiles, active }: AgentSession,
  started: number,
  unlisten: (() => void) | undefined,
): Open {
  const { programs } = toolbox;
  const fireEnd = async (reason: string): Promise<void> => {
    const duration_ms = clock.monotonic() - started;
    const event = { hook_event_name: "SessionEnd", ...identity, turn_id: undefined, reason, duration_ms };
    await hooks.fireUntyped(event, { values, limits: hook_limits });
  };
  return {
    close: async (reason) => {
      memoryFiles.stop();
      if (programs.mark !== undefined) await terminateMarked(programs.mark);
      await fireEnd(reason);
      deactivate({ active, identity });
      dropEnvFile({ programs });
      unlisten?.();
    },
    endNow: (reason) => {
      ignore(fireEnd(reason));
      endPrograms({ programs });
    },
  };
}

/** Ends the programs of a session that are left, and removes its variables, synchronously. */
export function endPrograms(toolbox: Pick<Toolbox, "programs">): void {
  dropEnvFile(toolbox);
  const { mark } = toolbox.programs;
  if (mark !== undefined) killMarkedNow(mark);
}

/** Removes the file with the variables of a session. */
export function dropEnvFile({ programs }: Pick<Toolbox, "programs">): void {
  if (programs.env_file !== undefined) removeEnvFile(programs.env_file);
  programs.env_file = undefined;
}
