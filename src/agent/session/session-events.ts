import { modelName } from "../model/agent-model.ts";
import { sourceOf } from "../options.ts";
import { endedBy, fireBetweenTurns } from "./fire.ts";
import type { AgentSession } from "./session.ts";

/** Fires SessionStart. What hooks say for the model waits for the first turn. False when it was interrupted. */
export async function tellSessionStart(
  session: AgentSession,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { options, model } = session;
  const { profile, config } = options;
  const decision = await fireBetweenTurns(
    session,
    "SessionStart",
    {
      source: sourceOf(options),
      ...(model === undefined ? {} : { model: modelName(model) }),
      ...(profile === undefined ? {} : { profile }),
      ...(config === undefined ? {} : { config }),
    },
    signal,
  );
  if (signal?.aborted === true) return false;
  if (decision.abort !== undefined) session.pending_abort = endedBy(decision.abort, "SessionStart");
  // There is no turn yet that they could end with.
  for (const item of decision.context)
    session.pending_context.push(item.lifetime === "turn" ? { ...item, lifetime: "session" } : item);
  return true;
}

/** Fires SessionEnd of a session that began at this reading of the monotonic clock. It belongs to no turn. */
export async function tellSessionEnd(session: AgentSession, reason: string, started: number): Promise<void> {
  const duration_ms = session.clock.monotonic() - started;
  session.identity.turn_id = undefined;
  await fireBetweenTurns(session, "SessionEnd", { reason, duration_ms });
}
