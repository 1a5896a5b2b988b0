import type { TranscriptOwner } from "../../../core/contracts/transcript.ts";
import { keyOf } from "../sql.ts";

/**
 * The last claim of this store on an agent, and what is stored, as JSON. Until the agent is given back usually nobody else
 * changes that, and every write compares.
 */
interface Held {
  readonly id: string;
  /** The claim itself. */
  claim?: string;
  /** What is known of the agent. */
  metadata?: string;
}

/**
 * The last claim that this store has had on each agent. It goes with everything the store writes for the agent, so that
 * nothing is written once another process has the agent, even by one that slept and does not know.
 */
export class HeldClaims {
  readonly #held = new Map<string, Held>();

  hold(agent_id: string, id: string, claim: string): void {
    this.#held.set(keyOf(agent_id), { id, claim });
  }

  /** What was stored of an agent when this store last looked, if it has the agent. Others may have changed it since. */
  last(agent_id: string): Pick<Held, "claim" | "metadata"> {
    return this.#held.get(keyOf(agent_id)) ?? {};
  }

  remember(agent_id: string, stored: Pick<Held, "claim" | "metadata">): void {
    const held = this.#held.get(keyOf(agent_id));
    if (held?.claim !== undefined) Object.assign(held, stored);
  }

  /** The agent was given back. */
  release(agent_id: string, id: string): void {
    if (this.#held.get(keyOf(agent_id))?.id === id) this.#held.set(keyOf(agent_id), { id });
  }

  forget(agent_id: string): void {
    this.#held.delete(keyOf(agent_id));
  }

  /** The claims that count for an agent: its own, and that of the session, whose agent has the same id. */
  of({ agent_id, session_id }: TranscriptOwner): {
    readonly agents: readonly string[];
    readonly ids: readonly string[];
  } {
    const held = [...new Set([keyOf(agent_id), keyOf(session_id)])].flatMap((agent) => {
      const id = this.#held.get(agent)?.id;
      return id === undefined ? [] : [{ agent, id }];
    });
    return { agents: held.map(({ agent }) => agent), ids: held.map(({ id }) => id) };
  }
}
