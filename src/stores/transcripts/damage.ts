import { TenterhookError } from "../../core/base/errors.ts";
import type { ReadTranscriptOptions } from "../../core/contracts/transcript.ts";

/**
 * Tells of a record that can't be read.
 *
 * @throws TenterhookError `store_damaged` when nobody hears of it.
 */
export function damaged(place: string, { onDamage }: ReadTranscriptOptions): void {
  if (onDamage === undefined)
    throw new TenterhookError("store_damaged", `${place} can't be read, and more follows it.`);
  onDamage({ place });
}
