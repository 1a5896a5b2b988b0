import { readFileSync, rmSync, statSync } from "node:fs";
import { isRecord } from "../../../core/base/json.ts";
import { appendLines } from "../../../node/files/append.ts";
import { systemCode } from "../../../node/system-code.ts";
import { type ClaimChange, isClaim, type KeptClaim } from "../claim-record.ts";
import { fromJson } from "../encode.ts";

// Beside the file of a session stands one with the claims on its agents. It is appended to, so that the order of its lines
// decides: a claim counts when it names the one that was the last when it was written, and of two that name the same the
// second does not. Nobody waits for anybody, and nothing a killed process leaves behind has to be removed.
//   {"claim":{…},"before":ID}   in the place of the last claim on the agent; without "before": of none
//   {"agent":ID,"of":ID,"change":{…}}   about a claim that is the last one on the agent

/** The last claim on each agent of a session. */
function readClaims(file: string): ReadonlyMap<string, KeptClaim> {
  const claims = new Map<string, KeptClaim>();
  for (const text of readText(claimFile(file)).split("\n")) {
    const line = text === "" ? undefined : fromJson(text);
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

/** The last claim on an agent of a session. */
export function lastClaimIn(file: string, agent_id: string): KeptClaim | undefined {
  return readClaims(file).get(agent_id);
}

/** Writes a claim; true when it counts. */
export function addClaim(file: string, claim: KeptClaim, before: string | undefined): boolean {
  appendLines(claimFile(file), [JSON.stringify({ claim, before })]);
  return lastClaimIn(file, claim.agent_id)?.id === claim.id;
}

/** Changes a claim; false when it is not the last one. */
export function addChange(file: string, agent: string, id: string, change: ClaimChange): boolean {
  if (lastClaimIn(file, agent)?.id !== id) return false;
  appendLines(claimFile(file), [JSON.stringify({ agent, of: id, change })]);
  return true;
}

/** Forgets the claims on the agents of a session that is gone. */
export function removeClaims(file: string): void {
  rmSync(claimFile(file), { force: true });
}

function claimFile(file: string): string {
  return file.replace(/\.jsonl$/, ".claims");
}

function readText(file: string): string {
  // A new session has none, and to make an error of that costs more than to look.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return "";
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
}
