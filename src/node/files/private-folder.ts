import { chmodSync, mkdirSync, statSync } from "node:fs";

/**
 * Makes a folder that only this user can look into, with those above it. One that is there and open to others is closed
 * when it is this user's.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = statSync(folder);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700);
}
