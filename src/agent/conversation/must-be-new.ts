import { TenterhookError } from "../../core/base/errors.ts";
import type { AgentSession } from "../session/session.ts";

/**
 * Refuses a new agent with an id of which a conversation is kept already: it knows nothing of that, and the two would be
 * mixed. Ids that nobody gave are new.
 *
 * @throws TenterhookError `agent_exists`; as the store does.
 */
export async function mustBeNew({ options, identity }: AgentSession): Promise<void> {
  const { store, session_id, agent_id = session_id, resume, transcript } = options;
  if (agent_id === undefined || resume !== undefined || transcript !== undefined) return;
  // The first agent of a session mostly has its id, and no agent of another session has that.
  const kept = await store?.load?.(
    identity.agent_id,
    identity.agent_id === identity.session_id ? { session_id: identity.session_id } : {},
  );
  if (kept === undefined || kept.messages.length === 0) return;
  throw new TenterhookError("agent_exists", `There is an agent "${identity.agent_id}" already.`, {
    hint: "To go on with its conversation use Agent.resume; for a new one, give another id.",
  });
}
