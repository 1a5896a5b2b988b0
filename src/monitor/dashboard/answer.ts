import { type ErrorCode, isTenterhookError } from "../../core/base/errors.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Receipt } from "../../shared/monitor/receipt.ts";
import { receiptOf } from "../decisions/receipt.ts";

/** What refuses an answer because another one was faster, nobody waits, or something else is asked now. */
const REFUSED: ReadonlyMap<ErrorCode, Receipt["kind"]> = new Map([
  ["decision_closed", "late"],
  ["unknown_decision", "late"],
  ["no_prompt", "refused"],
  ["call_changed", "refused"],
]);

/** The receipt of an answer that is being given. @throws what makes the choice itself wrong. */
export async function answerWithReceipt(answered: Promise<HumanRequest>): Promise<Receipt> {
  try {
    return receiptOf(await answered);
  } catch (error) {
    const kind = isTenterhookError(error) ? REFUSED.get(error.code) : undefined;
    if (kind === undefined || !isTenterhookError(error)) throw error;
    return { kind, text: error.message };
  }
}
