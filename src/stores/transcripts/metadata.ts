import { isRecord } from "../../core/base/json.ts";
import {
  TRANSCRIPT_STATUSES,
  type TranscriptChanges,
  type TranscriptMetadata,
  type TranscriptOwner,
  type TranscriptStatus,
} from "../../core/contracts/transcript.ts";

/** True for a status that agents can have. */
function isStatus(value: unknown): value is TranscriptStatus {
  return TRANSCRIPT_STATUSES.some((status) => status === value);
}

/** True for data that a store wrote as metadata. */
export function isMetadata(value: unknown): value is TranscriptMetadata {
  return (
    isRecord(value) &&
    typeof value.agent_id === "string" &&
    typeof value.session_id === "string" &&
    typeof value.created_at === "string" &&
    typeof value.updated_at === "string" &&
    isStatus(value.status)
  );
}

/** True for data that a store wrote as changes. */
export function isChanges(value: unknown): value is TranscriptChanges {
  return isRecord(value) && (value.status === undefined || isStatus(value.status));
}

/** What is known of an agent that is seen for the first time. */
export function firstMetadata(owner: TranscriptOwner, time: string): TranscriptMetadata {
  const { session_id, agent_id, parent_agent_id, agent_type, cwd } = owner;
  return {
    session_id,
    agent_id,
    ...(parent_agent_id === undefined ? {} : { parent_agent_id }),
    ...(agent_type === undefined ? {} : { agent_type }),
    ...(cwd === undefined ? {} : { cwd }),
    status: "running",
    created_at: time,
    updated_at: time,
  };
}

/** What is known of an agent after a save. What belongs to a status goes with it. */
export function changedMetadata(
  before: TranscriptMetadata,
  changes: TranscriptChanges,
  time: string,
): TranscriptMetadata {
  const { waiting_for, unheard, error, ...rest } = before;
  const kept = changes.status === undefined ? before : rest;
  return { ...kept, ...changes, updated_at: time };
}

/** An agent and everything below it, by who started whom. */
export function withDescendants(agent_id: string, agents: Iterable<TranscriptMetadata>): readonly string[] {
  const children = groupedByParent(agents);
  const found = new Set([agent_id]);
  for (const parent of found) for (const child of children.get(parent) ?? []) found.add(child);
  return [...found];
}

function groupedByParent(agents: Iterable<TranscriptMetadata>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { parent_agent_id: parent, agent_id } of agents) {
    if (parent === undefined) continue;
    const siblings = children.get(parent) ?? [];
    siblings.push(agent_id);
    children.set(parent, siblings);
  }
  return children;
}
