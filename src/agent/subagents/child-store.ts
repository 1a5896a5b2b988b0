import type { AgentStore } from "../contracts.ts";
import type { AgentSession } from "../session/session.ts";

/** Stores that were made because nobody gave one: they last as long as the agent. */
const makeshift = new WeakSet<AgentStore>();

/** Where the transcripts of an agent's children are kept: with its own, or, when it has no store, for as long as it lives. */
export function storeOfChildren(parent: AgentSession): AgentStore | undefined {
  const { store, childStore } = parent.options;
  if (parent.subagents.store === undefined && store === undefined) {
    const made = childStore?.();
    if (made !== undefined) makeshift.add(made);
    parent.subagents.store = made;
  }
  parent.subagents.store ??= store;
  return parent.subagents.store;
}

/** True when what a store keeps outlives the agent. */
export function outlivesAgent(store: AgentStore | undefined): boolean {
  return store !== undefined && !makeshift.has(store);
}
