/** What the stores in SQLite and in Postgres have in common. */
import { parseJson } from "../../core/base/json.ts";
import type {
  ActivityStep,
  ReadTranscriptOptions,
  StoredMessage,
  TranscriptMetadata,
} from "../../core/contracts/transcript.ts";
import type { ListQuery } from "./backend.ts";
import { foldedTitle } from "./listing.ts";
import {
  isActivityItem,
  isClaim,
  isMetadata,
  isStoredMessage,
  reportDamage,
  type StoredClaim,
} from "./records.ts";

/**
 * An id or a path as a column holds it: itself, or JSON if it has characters the database would not return unchanged (zeros,
 * lone surrogates). No two strings have the same key.
 */
export function keyOf(text: string): string {
  return /^[ !#-~][ -~]*$/.test(text) ? text : JSON.stringify(text);
}

export function optionalKey(text: string | undefined): string | null {
  return text === undefined ? null : keyOf(text);
}

/** What a database knows of an agent: id, session, parent, status, folder, title, times of creation and change, and all of it. */
export function agentColumns(metadata: TranscriptMetadata): readonly (string | null)[] {
  const { agent_id, session_id, parent_agent_id, status, cwd, title = "", created_at, updated_at } = metadata;
  return [
    keyOf(agent_id),
    keyOf(session_id),
    optionalKey(parent_agent_id),
    status,
    optionalKey(cwd),
    foldedTitle(title),
    created_at,
    updated_at,
    JSON.stringify(metadata),
  ];
}

export function readMetadata(json: string | null | undefined): TranscriptMetadata | undefined {
  const metadata = parseJson(json ?? "");
  return isMetadata(metadata) ? metadata : undefined;
}

export function readClaim(json: string | null | undefined): StoredClaim | undefined {
  const claim = parseJson(json ?? "");
  return isClaim(claim) ? claim : undefined;
}

export interface EntryRow {
  readonly seq: number;
  /** `null`: an item of the activity. */
  readonly message: string | null;
  readonly json: string;
}

export function readMessages(
  rows: Iterable<EntryRow>,
  placeOf: (seq: number) => string,
  options: ReadTranscriptOptions,
): readonly StoredMessage[] {
  const messages: StoredMessage[] = [];
  for (const { seq, json } of rows) {
    options.signal?.throwIfAborted();
    const value = parseJson(json);
    if (isStoredMessage(value)) messages.push(value);
    else reportDamage(placeOf(seq), options);
  }
  return messages;
}

export function readSteps(
  rows: Iterable<EntryRow>,
  placeOf: (seq: number) => string,
  options: ReadTranscriptOptions,
): readonly ActivityStep[] {
  const steps: ActivityStep[] = [];
  for (const { seq, message, json } of rows) {
    options.signal?.throwIfAborted();
    const value = parseJson(json);
    if (message === null && isActivityItem(value)) steps.push({ item: value });
    else if (message !== null && isStoredMessage(value)) steps.push({ message_id: value.id });
    else reportDamage(placeOf(seq), options);
  }
  return steps;
}

export interface ListDialect {
  readonly table: string;
  /** The placeholder of a value, by its number. */
  readonly mark: (number: number) => string;
  /** A query for the items of a JSON list. */
  readonly items: (list: string) => string;
  /** The function that finds a text in another. */
  readonly find: string;
}

export function listSql(query: ListQuery, { table, mark, items, find }: ListDialect) {
  const { session_id, statuses, parent_agent_id, root, cwd, title, since, after, limit } = query;
  const values: (string | number)[] = [];
  const value = (one: string | number): string => mark(values.push(one));
  const conditions = ["TRUE"];
  if (session_id !== undefined) conditions.push(`session = ${value(keyOf(session_id))}`);
  if (statuses !== undefined) conditions.push(`status IN (${items(value(JSON.stringify(statuses)))})`);
  if (parent_agent_id !== undefined) conditions.push(`parent = ${value(keyOf(parent_agent_id))}`);
  if (root === true) conditions.push("parent IS NULL");
  if (cwd !== undefined) conditions.push(`cwd = ${value(keyOf(cwd))}`);
  if (title !== undefined) conditions.push(`${find}(title, ${value(foldedTitle(title))}) > 0`);
  if (since !== undefined) conditions.push(`updated >= ${value(since.toISOString())}`);
  if (after !== undefined)
    conditions.push(`(created, agent) < (${value(after.created_at)}, ${value(keyOf(after.agent_id))})`);
  const where = conditions.join(" AND ");
  const text = `SELECT metadata FROM ${table} WHERE ${where} ORDER BY created DESC, agent DESC LIMIT ${value(limit)}`;
  return { text, values };
}
