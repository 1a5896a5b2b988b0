import type { TranscriptMetadata, TranscriptOwner } from "../../../core/contracts/transcript.ts";
import type { OpenDatabase } from "../../../node/sqlite/open-database.ts";
import { firstMetadata, type StoredClaim } from "../records.ts";
import { agentColumns, type EntryRow, keyOf, optionalKey, readClaim, readMetadata } from "../sql.ts";

export function agentRow({ prepared }: OpenDatabase, agent_id: string): TranscriptMetadata | undefined {
  const row: { readonly metadata: string } | undefined = prepared(
    "SELECT metadata FROM agents WHERE agent = ?",
  ).get(keyOf(agent_id));
  return readMetadata(row?.metadata);
}

export function putAgent({ prepared }: OpenDatabase, metadata: TranscriptMetadata): void {
  prepared("INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...agentColumns(metadata));
}

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
  return readClaim(row?.claim);
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

export function entriesOf(
  { prepared }: OpenDatabase,
  agent_id: string,
  condition: "" | "AND message IS NOT NULL",
): Iterable<EntryRow> {
  return prepared(`SELECT seq, message, json FROM entries WHERE agent = ? ${condition} ORDER BY seq`).iterate(
    keyOf(agent_id),
  );
}
