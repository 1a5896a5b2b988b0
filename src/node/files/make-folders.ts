import type { Stats } from "node:fs";
import { builtin } from "../builtin.ts";

/**
 * Makes a folder, with those above it that are missing: for this user alone, unless another mode is given. Not by Node's
 * own way, which tries for ever where a file system has no such folder and takes none, as `/proc`.
 *
 * @throws the file system's error.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  if (statusOf(folder)?.isDirectory() === true) return;
  const above = builtin.path.dirname(folder);
  if (statusOf(above) === undefined) makeFolders(above, mode);
  try {
    builtin.fs.mkdirSync(folder, mode);
  } catch (error) {
    // Somebody else was faster.
    if (statusOf(folder)?.isDirectory() !== true) throw error;
  }
}

/** @throws the file system's error where a file stands on the way. */
function statusOf(path: string): Stats | undefined {
  return builtin.fs.statSync(path, { throwIfNoEntry: false });
}

/**
 * Makes a folder that only this user can look into, with those above it. One that is there and open to others is closed
 * when it is this user's.
 */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  const { mode, uid } = builtin.fs.statSync(folder);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) builtin.fs.chmodSync(folder, 0o700);
}

/** Makes the names of the files in a folder outlive a power cut. */
export function syncFolder(folder: string): void {
  // Windows opens no folders, and needs none of this.
  if (process.platform === "win32") return;
  const { openSync, fsyncSync, closeSync } = builtin.fs;
  const open = openSync(folder, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
