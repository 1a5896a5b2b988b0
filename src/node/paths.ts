import type { PathNormaliser } from "../core/match/paths.ts";
import { builtin } from "./builtin.ts";
import { homeFolder } from "./user-folders.ts";

const MOST_LINKS = 40;

/** The path of a file that exists, as the file system spells it. */
type TrueSpelling = (path: string) => string;

/**
 * Paths of a machine: `~` is the user's home folder, and symbolic links are followed as the system does. `trueSpelling` is
 * for systems that find `.env` by the name `.ENV`.
 */
export function pathNormaliser(trueSpelling: TrueSpelling): PathNormaliser {
  const realPath = (path: string) => resolvedPath(path, trueSpelling);
  return {
    spellings(path, cwd) {
      const written = withHome(path);
      const led = throughProc(written, cwd);
      const found = spell(written, cwd);
      return led === undefined ? found : [...new Set([...found, ...spell(led, cwd)])];
    },
  };

  function spell(written: string, cwd: string): readonly string[] {
    const { isAbsolute, resolve } = builtin.path;
    const lexical = resolve(cwd, written);
    const real = realPath(
      isAbsolute(written) ? written : `${isAbsolute(cwd) ? cwd : resolve(cwd)}/${written}`,
    );
    // Programs that resolve `..` by text open another file than those that leave it to the system.
    const byText = written.includes("..") ? realPath(lexical) : real;
    return real === lexical && byText === lexical ? [lexical] : [...new Set([lexical, byText, real])];
  }
}

/** A name for the folder, or the root, of some process. */
const PROCESS_FOLDER = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(cwd|root)(?=\/|$)/;
const MOST_STEPS = 32;

/**
 * The path that a name below `/proc` leads to: the folder of a process is the one the call starts in, as far as anybody
 * knows. `undefined` for any other path.
 */
function throughProc(path: string, cwd: string): string | undefined {
  let rest = path.replace(/^\/dev\/fd(?=\/)/, "/proc/self/fd");
  if (!rest.startsWith("/proc/") && !/^\/{1,}(?:\.?\/)*proc\//.test(rest)) return undefined;
  let led = false;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    rest = rest.replaceAll(/\/(?:\.?\/)+/g, "/");
    const [name, kind] = PROCESS_FOLDER.exec(rest) ?? [];
    if (name !== undefined) {
      rest = (kind === "cwd" ? cwd : "") + rest.slice(name.length);
      led = true;
    } else if (/^\/proc\/(?:[^/]+\/)*?[^/]+\/\.\.(?:\/|$)/.test(rest))
      rest = rest.replace(/\/(?!\.\.\/)[^/]+\/\.\.(?=\/|$)/, "");
    else break;
  }
  return led ? rest || "/" : undefined;
}

const IGNORES_CASE = process.platform === "darwin" || process.platform === "win32";

export const nodePaths: PathNormaliser = pathNormaliser((path) => {
  if (!IGNORES_CASE) return path;
  try {
    return builtin.fs.realpathSync.native(path);
  } catch {
    return path;
  }
});

function withHome(path: string): string {
  if (path !== "~" && !path.startsWith("~/") && !path.startsWith("~\\")) return path;
  return builtin.path.join(homeFolder(), path.slice(1));
}

/**
 * Resolves a path part by part: `..` after a link is the parent of the link's target, and a link may lead to a missing
 * file. Below a missing part there are no links, so that a long path costs no more than its existing part.
 */
function resolvedPath(path: string, trueSpelling: TrueSpelling): string {
  const { parse, sep, join } = builtin.path;
  const { root } = parse(path);
  let rest = split(path.slice(root.length)).reverse();
  let real = root || sep;
  let links = 0;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    const next = join(real, part);
    const target = part === ".." || links >= MOST_LINKS ? NO_LINK : linkTarget(next);
    if (target === NOT_THERE) return join(trueSpelling(real), part, rest.reverse().join(sep));
    if (target === NO_LINK) {
      real = next;
      continue;
    }
    links += 1;
    const from = parse(target.to).root;
    if (from !== "") real = from;
    rest = [...rest, ...split(target.to.slice(from.length)).reverse()];
  }
  return trueSpelling(real);
}

const NO_LINK = "no link";
const NOT_THERE = "not there";

function linkTarget(path: string): { readonly to: string } | typeof NO_LINK | typeof NOT_THERE {
  try {
    // Most parts are not links, and lstat is much cheaper than an exception of readlink.
    const found = builtin.fs.lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return NOT_THERE;
    return found.isSymbolicLink() ? { to: builtin.fs.readlinkSync(path) } : NO_LINK;
  } catch {
    // Nothing can be found at it or below it.
    return NOT_THERE;
  }
}

function split(path: string): string[] {
  return path.split(builtin.path.sep === "\\" ? /[\\/]+/ : "/").filter((part) => part !== "" && part !== ".");
}
