import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The folder, or the nearest one above it that exists: the session may go on in a folder that was deleted. */
export function nearestFolder(folder: string): string {
  let path = resolve(folder);
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  return path;
}
