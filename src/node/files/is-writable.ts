import { accessSync, constants } from "node:fs";

/** True when this process may write to the file, socket or folder. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
