import type { Stats } from "node:fs";
import { builtin } from "../builtin.ts";

/**
 * Creates a folder and its missing parents, by default for this user alone. Node's own recursive mkdir never ends on a
 * file system such as `/proc`.
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
    // Another process was faster.
    if (statusOf(folder)?.isDirectory() !== true) throw error;
  }
}

/** @throws the file system's error when a parent is a file. */
function statusOf(path: string): Stats | undefined {
  return builtin.fs.statSync(path, { throwIfNoEntry: false });
}

/**
 * Creates a folder that only this user can read, with its parents. Closes an existing one of this user's that is open
 * to others.
 */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  const { mode, uid } = builtin.fs.statSync(folder);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) builtin.fs.chmodSync(folder, 0o700);
}

/** Makes the entries of a folder survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows can't open folders and does not need this.
  if (process.platform === "win32") return;
  const { openSync, fsyncSync, closeSync } = builtin.fs;
  const open = openSync(folder, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
