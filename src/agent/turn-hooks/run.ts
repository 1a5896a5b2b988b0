import type { HookInput } from "../../core/decision.ts";
import type { AgentSession, Turn } from "../session.ts";

/** Runs the program. */
export async function runTurnHook(
  _session: AgentSession,
  _turn: Turn,
  _hook: "TurnStart" | "TurnEnd",
): Promise<HookInput[]> {
  return [];
}
