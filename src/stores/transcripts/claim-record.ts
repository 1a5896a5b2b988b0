import { isRecord } from "../../core/base/json.ts";
import type { ClaimHolder } from "../../core/contracts/transcript.ts";
import type { ProcessMark } from "../../node/process/process-mark.ts";

/** A claim on an agent as it is kept. The last one counts, until it is released or its process is gone. */
export interface KeptClaim extends ClaimHolder, ProcessMark {
  readonly id: string;
  readonly agent_id: string;
  /** ISO time of the last sign of life. */
  readonly renewed_at: string;
  readonly released?: true;
}

/** What may change about a claim. */
export type ClaimChange = Pick<KeptClaim, "renewed_at"> | Required<Pick<KeptClaim, "released">>;

/** True for data that a store wrote as a claim. */
export function isClaim(value: unknown): value is KeptClaim {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    typeof value.agent_id === "string" &&
    typeof value.pid === "number" &&
    typeof value.host === "string" &&
    typeof value.machine === "string" &&
    typeof value.since === "string" &&
    typeof value.renewed_at === "string"
  );
}
