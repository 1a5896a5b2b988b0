import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder for this user alone, with those above it that are missing. Not by Node's own way, which tries for ever
 * where a file system has no such folder and takes none, as `/proc`.
 *
 * @throws the file system's error.
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    // Somebody else was faster.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
