import { parseJson } from "../../../core/base/json.ts";
import type {
  ActivityStep,
  ReadTranscriptOptions,
  StoredMessage,
  TranscriptMetadata,
} from "../../../core/contracts/transcript.ts";
import type { Postgres } from "../../../node/postgres/open-postgres.ts";
import type { Queries, SqlValue } from "../../../node/postgres/queries.ts";
import type { ListQuery } from "../backend.ts";
import { keyOf } from "../columns.ts";
import { foldedTitle } from "../listing.ts";
import {
  isActivityItem,
  isClaim,
  isMetadata,
  isStoredMessage,
  reportDamage,
  type StoredClaim,
} from "../records.ts";

export function readMetadata(json: string | null | undefined): TranscriptMetadata | undefined {
  const metadata = parseJson(json ?? "");
  return isMetadata(metadata) ? metadata : undefined;
}

export function readClaim(json: string | null | undefined): StoredClaim | undefined {
  const claim = parseJson(json ?? "");
  return isClaim(claim) ? claim : undefined;
}

interface EntryRow {
  readonly seq: number;
  readonly message: string | null;
  readonly json: string;
}

/** What is known of an agent, as JSON. */
export async function metadataOf({ query }: Queries, agent_id: string): Promise<string | undefined> {
  const [row] = await query<{ readonly metadata: string }>(
    "SELECT metadata FROM tenterhook.transcripts WHERE agent = $1",
    [keyOf(agent_id)],
  );
  return row?.metadata;
}

export async function messagesOf(
  database: Postgres,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<readonly StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (const { seq, json } of await entriesOf(database, agent_id, "AND message IS NOT NULL")) {
    options.signal?.throwIfAborted();
    const value = parseJson(json);
    if (isStoredMessage(value)) messages.push(value);
    else reportDamage(placeOf(database, agent_id, seq), options);
  }
  return messages;
}

export async function activityOf(
  database: Postgres,
  agent_id: string,
  options: ReadTranscriptOptions,
): Promise<readonly ActivityStep[]> {
  const steps: ActivityStep[] = [];
  for (const { seq, message, json } of await entriesOf(database, agent_id, "")) {
    options.signal?.throwIfAborted();
    const value = parseJson(json);
    if (message === null && isActivityItem(value)) steps.push({ item: value });
    else if (message !== null && isStoredMessage(value)) steps.push({ message_id: value.id });
    else reportDamage(placeOf(database, agent_id, seq), options);
  }
  return steps;
}

function entriesOf(
  { query }: Postgres,
  agent_id: string,
  condition: "" | "AND message IS NOT NULL",
): Promise<readonly EntryRow[]> {
  return query<EntryRow>(
    `SELECT seq, message, json FROM tenterhook.transcript_entries WHERE agent = $1 ${condition} ORDER BY seq`,
    [keyOf(agent_id)],
  );
}

function placeOf({ place }: Postgres, agent_id: string, seq: number): string {
  return `${place}, entry ${seq} of agent "${agent_id}",`;
}

/** The statement that lists agents, and its values. */
export function listSql(query: ListQuery): { readonly text: string; readonly values: readonly SqlValue[] } {
  const { session_id, statuses, parent_agent_id, root, cwd, title, since, after, limit } = query;
  const values: SqlValue[] = [];
  const value = (one: SqlValue): string => `$${values.push(one)}`;
  const conditions = ["TRUE"];
  if (session_id !== undefined) conditions.push(`session = ${value(keyOf(session_id))}`);
  if (statuses !== undefined) conditions.push(`status = ANY (${value(statuses)})`);
  if (parent_agent_id !== undefined) conditions.push(`parent = ${value(keyOf(parent_agent_id))}`);
  if (root === true) conditions.push("parent IS NULL");
  if (cwd !== undefined) conditions.push(`cwd = ${value(keyOf(cwd))}`);
  if (title !== undefined) conditions.push(`position(${value(foldedTitle(title))} IN title) > 0`);
  if (since !== undefined) conditions.push(`updated >= ${value(since.toISOString())}`);
  if (after !== undefined)
    conditions.push(`(created, agent) < (${value(after.created_at)}, ${value(keyOf(after.agent_id))})`);
  const text = `SELECT metadata FROM tenterhook.transcripts WHERE ${conditions.join(" AND ")}
    ORDER BY created DESC, agent DESC LIMIT ${value(limit)}`;
  return { text, values };
}
