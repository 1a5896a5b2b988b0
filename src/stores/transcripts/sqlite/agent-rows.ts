import type { TranscriptMetadata, TranscriptOwner } from "../../../core/contracts/transcript.ts";
import { fromJson } from "../encode.ts";
import { firstMetadata, isMetadata } from "../metadata.ts";
import { agentColumns, keyOf } from "./columns.ts";
import type { OpenDatabase } from "./open-database.ts";

/** What is known of an agent. */
export function agentRow({ prepared }: OpenDatabase, agent_id: string): TranscriptMetadata | undefined {
  const row: { readonly metadata: string } | undefined = prepared(
    "SELECT metadata FROM agents WHERE agent = ?",
  ).get(keyOf(agent_id));
  const metadata = row === undefined ? undefined : fromJson(row.metadata);
  return isMetadata(metadata) ? metadata : undefined;
}

/** Writes what is known of an agent. */
export function putAgent({ prepared }: OpenDatabase, metadata: TranscriptMetadata): void {
  prepared("INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...agentColumns(metadata));
}

/** Begins an agent that is not there. */
export function beginAgent(database: OpenDatabase, owner: TranscriptOwner, time: string): void {
  const known = database.prepared("SELECT 1 FROM agents WHERE agent = ?").get(keyOf(owner.agent_id));
  if (known === undefined) putAgent(database, firstMetadata(owner, time));
}

/** Removes an agent and its descendants with everything of theirs. False when it was not there. */
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
