import { randomUUID } from "node:crypto";
import type { Queries } from "../../../node/postgres/queries.ts";
import type { StoredClaim } from "../records.ts";
import { keyOf, readMetadata } from "../sql.ts";

/**
 * Releases the claims on all agents of a session, whether their holder is alive or not. Once the transaction has
 * committed, that process can write nothing more and any other may claim the agents. Call it only when you know by
 * other means that the holder has lost the right to run them.
 */
export async function fenceOff(transaction: Queries, session_id: string, time: string): Promise<void> {
  const rows = await transaction.query<{ readonly metadata: string }>(
    "SELECT metadata FROM tenterhook.transcripts WHERE session = $1 ORDER BY agent",
    [keyOf(session_id)],
  );
  const children = rows.flatMap((row) => readMetadata(row.metadata)?.agent_id ?? []);
  // The session's own agent may have a claim before it has a transcript.
  for (const agent_id of new Set([session_id, ...children])) {
    const claim: StoredClaim = {
      id: randomUUID(),
      agent_id,
      pid: 0,
      host: "nowhere",
      machine: "none",
      since: time,
      renewed_at: time,
      released: true,
    };
    await transaction.query(
      `INSERT INTO tenterhook.transcript_claims (agent, id, claim) VALUES ($1, $2, $3)
       ON CONFLICT (agent) DO UPDATE SET id = excluded.id, claim = excluded.claim`,
      [keyOf(agent_id), claim.id, JSON.stringify(claim)],
    );
  }
}
