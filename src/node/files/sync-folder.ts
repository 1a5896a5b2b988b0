import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the names of the files in a folder outlive a power cut. */
export function syncFolder(folder: string): void {
  // Windows opens no folders, and needs none of this.
  if (process.platform === "win32") return;
  const open = openSync(folder, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
