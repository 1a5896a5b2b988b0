import { mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder for this user alone, with those above it that are missing. Not by Node's own way, which tries for ever
 * where a file system has no such folder and takes none, as `/proc`.
 *
 * @throws the file system's error.
 */
export function makeFolders(folder: string): void {
  if (statusOf(folder)?.isDirectory() === true) return;
  const above = dirname(folder);
  if (statusOf(above) === undefined) makeFolders(above);
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    // Somebody else was faster.
    if (statusOf(folder)?.isDirectory() !== true) throw error;
  }
}

/** @throws the file system's error where a file stands on the way. */
function statusOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
