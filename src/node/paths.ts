import type { PathNormaliser } from "../core/ports.ts";
import { builtin } from "./builtin.ts";

const MOST_LINKS = 40;

/** Paths of this machine: `~` is the user's home, and symbolic links are followed as the system follows them. */
export const nodePaths: PathNormaliser = {
  spellings(path, cwd) {
    const written = withHome(path);
    const lexical = builtin.path.resolve(cwd, written);
    const real = realPath(builtin.path.isAbsolute(written) ? written : `${cwd}/${written}`);
    return real === lexical ? [lexical] : [lexical, real];
  },
};

function withHome(path: string): string {
  if (path !== "~" && !path.startsWith("~/") && !path.startsWith("~\\")) return path;
  return builtin.path.join(builtin.os.homedir(), path.slice(1));
}

/**
 * Where a path leads. Walks it part by part, since `..` after a link is the folder above the link's target, and since
 * a link may lead to a file that is not there yet.
 */
function realPath(path: string): string {
  const { parse, sep, dirname, join } = builtin.path;
  const { root } = parse(path);
  const parts = split(path.slice(root.length));
  let real = root || sep;
  let links = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    if (part === "..") {
      real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const target = links < MOST_LINKS ? linkTarget(next) : undefined;
    if (target === undefined) {
      real = next;
      continue;
    }
    links += 1;
    const from = parse(target).root;
    if (from !== "") real = from;
    parts.unshift(...split(target.slice(from.length)));
  }
  return real;
}

function linkTarget(path: string): string | undefined {
  try {
    return builtin.fs.readlinkSync(path);
  } catch {
    // Not a link, or not there.
    return undefined;
  }
}

function split(path: string): string[] {
  return path.split(builtin.path.sep === "\\" ? /[\\/]+/ : "/").filter((part) => part !== "" && part !== ".");
}
