import { withoutUndefined } from "../../core/base/json.ts";
import type {
  TranscriptChanges,
  TranscriptMetadata,
  TranscriptOwner,
} from "../../core/contracts/transcript.ts";

export function firstMetadata(owner: TranscriptOwner, time: string): TranscriptMetadata {
  const { session_id, agent_id, parent_agent_id, agent_type, cwd } = owner;
  return {
    session_id,
    agent_id,
    ...withoutUndefined({ parent_agent_id, agent_type, cwd }),
    status: "running",
    created_at: time,
    updated_at: time,
  };
}

/** The metadata of an agent after a save. A new status removes what belonged to the previous one. */
export function changedMetadata(
  before: TranscriptMetadata,
  changes: TranscriptChanges,
  time: string,
): TranscriptMetadata {
  if (changes.status === undefined) return { ...before, ...changes, updated_at: time };
  const { waiting_for, unheard, error, ...rest } = before;
  return { ...rest, ...changes, updated_at: time };
}

export function withDescendants(agent_id: string, agents: Iterable<TranscriptMetadata>): readonly string[] {
  const children = new Map<string | undefined, string[]>();
  for (const { parent_agent_id: parent, agent_id: id } of agents) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  const found = new Set([agent_id]);
  for (const parent of found) for (const child of children.get(parent) ?? []) found.add(child);
  return [...found];
}
