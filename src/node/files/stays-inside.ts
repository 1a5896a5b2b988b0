import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

/**
 * The real path of a file when links lead it out of a folder; `undefined` when it stays inside. For a missing file its
 * nearest existing parent counts.
 */
export function leadsOutOf(folder: string, file: string): string | undefined {
  const root = realPath(folder);
  for (let path = file; ; path = dirname(path)) {
    const real = realPath(path);
    if (real !== undefined) return root !== undefined && isInside(real, root) ? undefined : real;
    if (path === dirname(path)) return path;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
