import type { PathNormaliser } from "../core/ports.ts";
import { builtin } from "./builtin.ts";

/** Paths of this machine: `~` is the user's home, and symbolic links are followed as far as the path exists. */
export const nodePaths: PathNormaliser = {
  spellings(path, cwd) {
    const lexical = builtin.path.resolve(cwd, withHome(path));
    const real = realPath(lexical);
    return real === lexical ? [lexical] : [lexical, real];
  },
};

function withHome(path: string): string {
  if (path !== "~" && !path.startsWith("~/") && !path.startsWith("~\\")) return path;
  return builtin.path.join(builtin.os.homedir(), path.slice(1));
}

/** Follows links in the part of a path that exists; the rest is kept, since it may be about to be made. */
function realPath(path: string): string {
  try {
    return builtin.fs.realpathSync.native(path);
  } catch {
    const parent = builtin.path.dirname(path);
    return parent === path ? path : builtin.path.join(realPath(parent), path.slice(parent.length));
  }
}
