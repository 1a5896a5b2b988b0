import { renameSync, statSync } from "node:fs";
import { tryLock } from "./lock.ts";

/**
 * Moves a file that has grown beyond a size to another name, once, however many processes notice it at the same time.
 * Who has it open goes on writing to the moved file, so nothing is lost.
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
