import { renameSync, statSync } from "node:fs";
import { claimFile } from "./claim-file.ts";

/**
 * Renames a file that has grown beyond a size, once, even when several processes notice it. A process that has it open
 * continues to write to the renamed file, so nothing is lost.
 */
export function rotate(file: string, mostBytes: number, name: () => string): void {
  const claim = claimFile(`${file}.lock`);
  if (claim === undefined) return;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > mostBytes) renameSync(file, name());
  } finally {
    claim.release();
  }
}
