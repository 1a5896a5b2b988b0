import { parseJson } from "../../../core/base/json.ts";
import type {
  ActivityStep,
  ReadTranscriptOptions,
  StoredMessage,
  TranscriptMetadata,
  TranscriptOwner,
} from "../../../core/contracts/transcript.ts";
import type { OpenDatabase } from "../../../node/sqlite/open-database.ts";
import type { ListQuery } from "../backend.ts";
import { agentColumns, keyOf, optionalKey } from "../columns.ts";
import { foldedTitle } from "../listing.ts";
import { firstMetadata } from "../metadata.ts";
import {
  isActivityItem,
  isClaim,
  isMetadata,
  isStoredMessage,
  reportDamage,
  type StoredClaim,
} from "../records.ts";

export function agentRow({ prepared }: OpenDatabase, agent_id: string): TranscriptMetadata | undefined {
  const row: { readonly metadata: string } | undefined = prepared(
    "SELECT metadata FROM agents WHERE agent = ?",
  ).get(keyOf(agent_id));
  const metadata = row === undefined ? undefined : parseJson(row.metadata);
  return isMetadata(metadata) ? metadata : undefined;
}

export function putAgent({ prepared }: OpenDatabase, metadata: TranscriptMetadata): void {
  prepared("INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...agentColumns(metadata));
}

/** Adds an agent unless it exists. */
export function beginAgent(database: OpenDatabase, owner: TranscriptOwner, time: string): void {
  const known = database.prepared("SELECT 1 FROM agents WHERE agent = ?").get(keyOf(owner.agent_id));
  if (known === undefined) putAgent(database, firstMetadata(owner, time));
}

/** Removes an agent, its descendants and everything of theirs. False when it does not exist. */
export function removeAgents(database: OpenDatabase, agent_id: string): boolean {
  if (agentRow(database, agent_id) === undefined) return false;
  const rows: readonly { readonly agent: string }[] = database
    .prepared(
      `WITH RECURSIVE gone (agent) AS (
         SELECT ? UNION SELECT agents.agent FROM agents JOIN gone ON agents.parent = gone.agent)
       SELECT agent FROM gone`,
    )
    .all(keyOf(agent_id));
  for (const { agent } of rows) {
    database.prepared("DELETE FROM entries WHERE agent = ?").run(agent);
    database.prepared("DELETE FROM claims WHERE agent = ?").run(agent);
    database.prepared("DELETE FROM agents WHERE agent = ?").run(agent);
  }
  return true;
}

export function claimRow({ prepared }: OpenDatabase, agent_id: string): StoredClaim | undefined {
  const row: { readonly claim: string } | undefined = prepared(
    "SELECT claim FROM claims WHERE agent = ?",
  ).get(keyOf(agent_id));
  const claim = row === undefined ? undefined : parseJson(row.claim);
  return isClaim(claim) ? claim : undefined;
}

export function putClaimRow({ prepared }: OpenDatabase, claim: StoredClaim): void {
  prepared("INSERT OR REPLACE INTO claims VALUES (?, ?)").run(keyOf(claim.agent_id), JSON.stringify(claim));
}

/** Adds a message, or an item of the activity when it has no id. Does nothing when the agent has this message. */
export function addEntry(
  { prepared }: OpenDatabase,
  agent_id: string,
  message_id: string | undefined,
  json: string,
): void {
  prepared("INSERT INTO entries (agent, message, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
    keyOf(agent_id),
    optionalKey(message_id),
    json,
  );
}

export function messagesOf(
  database: OpenDatabase,
  agent_id: string,
  options: ReadTranscriptOptions,
): readonly StoredMessage[] {
  const messages: StoredMessage[] = [];
  for (const { seq, value } of entriesOf(database, agent_id, "AND message IS NOT NULL", options)) {
    if (isStoredMessage(value)) messages.push(value);
    else reportDamage(`${database.file}, row ${seq} of entries,`, options);
  }
  return messages;
}

export function activityOf(
  database: OpenDatabase,
  agent_id: string,
  options: ReadTranscriptOptions,
): readonly ActivityStep[] {
  const steps: ActivityStep[] = [];
  for (const { seq, message, value } of entriesOf(database, agent_id, "", options)) {
    if (message === null && isActivityItem(value)) steps.push({ item: value });
    else if (message !== null && isStoredMessage(value)) steps.push({ message_id: value.id });
    else reportDamage(`${database.file}, row ${seq} of entries,`, options);
  }
  return steps;
}

function* entriesOf(
  { prepared }: OpenDatabase,
  agent_id: string,
  condition: "" | "AND message IS NOT NULL",
  { signal }: ReadTranscriptOptions,
) {
  const rows: Iterable<{ readonly seq: number; readonly message: string | null; readonly json: string }> =
    prepared(`SELECT seq, message, json FROM entries WHERE agent = ? ${condition} ORDER BY seq`).iterate(
      keyOf(agent_id),
    );
  for (const { seq, message, json } of rows) {
    signal?.throwIfAborted();
    yield { seq, message, value: parseJson(json) };
  }
}

/** The statement that lists agents, and its values. */
export function listSql(query: ListQuery) {
  const { session_id, statuses, parent_agent_id, root, cwd, title, since, after, limit } = query;
  const conditions: [text: string, values: readonly (string | number)[]][] = [["TRUE", []]];
  if (session_id !== undefined) conditions.push(["session = ?", [keyOf(session_id)]]);
  if (statuses !== undefined)
    conditions.push(["status IN (SELECT value FROM json_each(?))", [JSON.stringify(statuses)]]);
  if (parent_agent_id !== undefined) conditions.push(["parent = ?", [keyOf(parent_agent_id)]]);
  if (root === true) conditions.push(["parent IS NULL", []]);
  if (cwd !== undefined) conditions.push(["cwd = ?", [keyOf(cwd)]]);
  if (title !== undefined) conditions.push(["instr(title, ?) > 0", [foldedTitle(title)]]);
  if (since !== undefined) conditions.push(["updated >= ?", [since.toISOString()]]);
  if (after !== undefined)
    conditions.push(["(created, agent) < (?, ?)", [after.created_at, keyOf(after.agent_id)]]);
  const where = conditions.map(([text]) => text).join(" AND ");
  return {
    text: `SELECT metadata FROM agents WHERE ${where} ORDER BY created DESC, agent DESC LIMIT ?`,
    values: [...conditions.flatMap(([, values]) => values), limit],
  };
}
