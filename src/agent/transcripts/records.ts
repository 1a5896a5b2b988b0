import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import {
  type ActivityItem,
  type ClaimHolder,
  type ReadTranscriptOptions,
  type StoredMessage,
  TRANSCRIPT_STATUSES,
  type TranscriptChanges,
  type TranscriptMetadata,
  type TranscriptOwner,
} from "../../core/contracts/transcript.ts";
import type { ProcessMark } from "../../node/identity/process-identity.ts";

/** A claim on an agent as a store writes it. The last one counts until it is released or its process has ended. */
export interface StoredClaim extends ClaimHolder, ProcessMark {
  readonly id: string;
  readonly agent_id: string;
  /** ISO time of the last sign of life. */
  readonly renewed_at: string;
  readonly released?: true;
}

export type ClaimChange = Pick<StoredClaim, "renewed_at"> | Required<Pick<StoredClaim, "released">>;

export function isClaim(value: unknown): value is StoredClaim {
  return (
    isRecord(value) &&
    typeof value.pid === "number" &&
    hasStrings(value, ["id", "agent_id", "host", "machine", "since", "renewed_at"])
  );
}

export function isStoredMessage(value: unknown): value is StoredMessage {
  return isRecord(value) && typeof value.id === "string" && value.id !== "";
}

export function isActivityItem(value: unknown): value is ActivityItem {
  return isRecord(value) && typeof value.type === "string";
}

export function isMetadata(value: unknown): value is TranscriptMetadata {
  return (
    isRecord(value) &&
    hasStrings(value, ["agent_id", "session_id", "created_at", "updated_at"]) &&
    isStatus(value.status)
  );
}

export function isChanges(value: unknown): value is TranscriptChanges {
  return isRecord(value) && (value.status === undefined || isStatus(value.status));
}

function isStatus(value: unknown): boolean {
  return TRANSCRIPT_STATUSES.some((status) => status === value);
}

function hasStrings(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}

/**
 * A value as one line of JSON. Lone surrogates survive, as escapes.
 *
 * @throws TenterhookError `invalid_record` when the value is not JSON data.
 */
export function toJson(value: unknown, what: string): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new TenterhookError("invalid_record", `${what} is not JSON data: ${errorMessage(cause)}`, {
      cause,
    });
  }
  throw new TenterhookError("invalid_record", `${what} is not JSON data.`);
}

/**
 * Reports a record that can't be read.
 *
 * @throws TenterhookError `store_damaged` when the caller gave no `onDamage`.
 */
export function reportDamage(place: string, { onDamage }: ReadTranscriptOptions): void {
  if (onDamage === undefined)
    throw new TenterhookError("store_damaged", `${place} can't be read, and more follows it.`);
  onDamage({ place });
}

export function firstMetadata(owner: TranscriptOwner, time: string): TranscriptMetadata {
  const { session_id, agent_id, parent_agent_id, agent_type, cwd } = owner;
  return {
    session_id,
    agent_id,
    parent_agent_id,
    agent_type,
    cwd,
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
