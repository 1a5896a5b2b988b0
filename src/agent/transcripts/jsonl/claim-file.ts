import { readFileSync, rmSync } from "node:fs";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { appendLines } from "../../../node/files/append.ts";
import { systemCode } from "../../../node/system-code.ts";
import { type ClaimChange, isClaim, type StoredClaim } from "../records.ts";

// The claims on the agents of a session are in a file of their own next to the session's. The order of its lines decides: a
// claim counts when it names the claim that was the last one before it, so the second of two that name the same one does not
// count. No process waits for another, and a killed process leaves nothing behind that must be removed.
//   {"claim":{…},"before":ID}   replaces the last claim on the agent; the first claim has no "before"
//   {"agent":ID,"of":ID,"change":{…}}   changes a claim that is the last one on the agent

function readClaims(file: string): ReadonlyMap<string, StoredClaim> {
  const claims = new Map<string, StoredClaim>();
  for (const text of readText(claimFile(file)).split("\n")) {
    const line = text === "" ? undefined : parseJson(text);
    if (!isRecord(line)) continue;
    const { claim, before, agent, of, change } = line;
    if (isClaim(claim) && claims.get(claim.agent_id)?.id === before) claims.set(claim.agent_id, claim);
    const last = typeof agent === "string" ? claims.get(agent) : undefined;
    if (last === undefined || last.id !== of || !isRecord(change)) continue;
    const next = { ...last, ...change };
    if (isClaim(next)) claims.set(next.agent_id, next);
  }
  return claims;
}

export function lastClaimIn(file: string, agent_id: string): StoredClaim | undefined {
  return readClaims(file).get(agent_id);
}

/** Writes a claim; true when it counts. */
export function addClaim(file: string, claim: StoredClaim, before: string | undefined): boolean {
  appendLines(claimFile(file), [JSON.stringify({ claim, before })]);
  return lastClaimIn(file, claim.agent_id)?.id === claim.id;
}

/** Changes a claim; false when it is not the last one. */
export function addChange(file: string, agent: string, id: string, change: ClaimChange): boolean {
  if (lastClaimIn(file, agent)?.id !== id) return false;
  appendLines(claimFile(file), [JSON.stringify({ agent, of: id, change })]);
  return true;
}

export function removeClaims(file: string): void {
  rmSync(claimFile(file), { force: true });
}

function claimFile(file: string): string {
  return file.replace(/\.jsonl$/, ".claims");
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}
