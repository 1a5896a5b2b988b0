import { renameSync, statSync } from "node:fs";
import { tryLock } from "./lock.ts";

/**
 * Renames a file that has grown beyond a size, once, even when several processes notice it. A process that has it open
 * continues to write to the renamed file, so nothing is lost.
 */
export function rotate(file: string, mostBytes: number, name: () => string): void {
  const release = tryLock(`${file}.lock`);
  if (release === undefined) return;
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > mostBytes) renameSync(file, name());
  } finally {
    release();
  }
}
