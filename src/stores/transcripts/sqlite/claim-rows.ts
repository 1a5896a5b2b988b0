import { isClaim, type KeptClaim } from "../claim-record.ts";
import { fromJson } from "../encode.ts";
import { keyOf } from "./columns.ts";
import type { OpenDatabase } from "./open-database.ts";

/** The last claim on an agent. */
export function claimRow({ prepared }: OpenDatabase, agent_id: string): KeptClaim | undefined {
  const row: { readonly claim: string } | undefined = prepared(
    "SELECT claim FROM claims WHERE agent = ?",
  ).get(keyOf(agent_id));
  const claim = row === undefined ? undefined : fromJson(row.claim);
  return isClaim(claim) ? claim : undefined;
}

/** Writes the last claim on an agent. */
export function putClaimRow({ prepared }: OpenDatabase, claim: KeptClaim): void {
  prepared("INSERT OR REPLACE INTO claims VALUES (?, ?)").run(keyOf(claim.agent_id), JSON.stringify(claim));
}
