import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { PathNormaliser } from "../core/ports.ts";

/** Paths of this machine: `~` is the user's home, and symbolic links are followed as far as the path exists. */
export const nodePaths: PathNormaliser = {
  spellings(path, cwd) {
    const lexical = resolve(cwd, withHome(path));
    const real = realPath(lexical);
    return real === lexical ? [lexical] : [lexical, real];
  },
};

function withHome(path: string): string {
  if (path === "~") return homedir();
  return path.startsWith("~/") || path.startsWith("~\\") ? join(homedir(), path.slice(2)) : path;
}

/** Follows links in the part of a path that exists; the rest is kept, since it may be about to be made. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}
