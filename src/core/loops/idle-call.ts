import type { Engine } from "../decide/engine.ts";
import type { EventInput } from "../events/payloads.ts";
import { countEvent } from "../session/ceilings.ts";
import { agentState, hasPending } from "../session/state.ts";

/** True when nobody could say anything about a tool call, and `undefined` when some only watch; it is counted all the same. */
export function isIdleCall(
  engine: Engine,
  event: EventInput<"PreToolUse" | "PostToolUse" | "PostToolUseFailure">,
): boolean | undefined {
  const { registry, sessions, ports, decisionObservers } = engine;
  if (registry.hasTasks()) return false;
  for (const name of ["PreToolUse", "PostToolUse", "PostToolUseFailure"]) {
    if (registry.candidates(name, event.tool_name).length > 0) return false;
  }
  const session = sessions.of(event.session_id);
  if (hasPending(session)) return false;
  if (!decisionObservers.silent) return;
  const known = registry.find("PreToolUse");
  if (known !== undefined)
    countEvent(
      agentState(session, event.agent_id ?? event.session_id),
      known.row,
      { context: event, fields: event },
      ports.clock,
    );
  return true;
}
