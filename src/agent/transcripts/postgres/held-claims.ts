import type { TranscriptOwner } from "../../../core/contracts/transcript.ts";
import { keyOf } from "../columns.ts";

/**
 * The last claim that this store has had on each agent. It goes with everything the store writes for the agent, so that
 * nothing is written once another process has the agent, even by one that slept and does not know.
 */
export class HeldClaims {
  readonly #ids = new Map<string, string>();

  hold(agent_id: string, id: string): void {
    this.#ids.set(keyOf(agent_id), id);
  }

  forget(agent_id: string): void {
    this.#ids.delete(keyOf(agent_id));
  }

  /** The claims that count for an agent: its own, and that of the session, whose agent has the same id. */
  of({ agent_id, session_id }: TranscriptOwner): {
    readonly agents: readonly string[];
    readonly ids: readonly string[];
  } {
    const held = [...new Set([keyOf(agent_id), keyOf(session_id)])].flatMap((agent) => {
      const id = this.#ids.get(agent);
      return id === undefined ? [] : [{ agent, id }];
    });
    return { agents: held.map(({ agent }) => agent), ids: held.map(({ id }) => id) };
  }
}
