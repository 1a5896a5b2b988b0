import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** A path with its links resolved; `undefined` when nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** True for a folder itself and for what is in it, by the text of the paths. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
