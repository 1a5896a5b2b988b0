import { chmodSync, statSync } from "node:fs";
import { makeFolders } from "./make-folders.ts";

/**
 * Makes a folder that only this user can look into, with those above it. One that is there and open to others is closed
 * when it is this user's.
 */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  const { mode, uid } = statSync(folder);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700);
}
