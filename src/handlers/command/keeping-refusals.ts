import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import { refusalsIn } from "../reply/refusals.ts";
import { replySite } from "../reply/reply-site.ts";

/**
 * Reads the answer of a program. When that fails, however, what it refuses counts all the same.
 *
 * @throws HookFailureError what `read` throws, with the refusals that are in the output.
 */
export function keepingRefusals(
  output: Uint8Array,
  event: AnyEvent,
  read: () => readonly Outcome[],
): readonly Outcome[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HookFailureError) || error.refusals.length > 0) throw error;
    const refusals = refusalsIn(Buffer.from(output).toString(), error.message, replySite(event));
    throw new HookFailureError(error.kind, error.message, { refusals, cause: error });
  }
}
