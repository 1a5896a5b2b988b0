import type { PathNormaliser } from "../core/match/paths.ts";
import type { Spill } from "../core/ports.ts";
import { builtin } from "./builtin.ts";
import { makeFolders, tidy } from "./files/folders.ts";
import { systemCode } from "./system-code.ts";
import { homeFolder, stateFolder } from "./user-folders.ts";

/* What the engine and the rules need of this machine: its paths, its files, and a place for long texts. */

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

/** A call waits while files are looked for. */
const MOST_FILES = 500;

/** What rules need from this machine. */
export const nodeRulePorts = {
  /** Resolves symbolic links. */
  normalisePath(path: string, cwd: string): string {
    const spellings = nodePaths.spellings(path, cwd);
    return spellings[spellings.length - 1] ?? path;
  },
  get home(): string {
    return homeFolder();
  },
  /** Goes into linked folders too; a loop of links is more than can be looked at. */
  everythingIn(path: string): readonly string[] | undefined {
    const { readdirSync, statSync } = builtin.fs;
    try {
      const start = statSync(path, { throwIfNoEntry: false });
      if (start === undefined) return [];
      const found = [path];
      const folders = start.isDirectory() ? [path] : [];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          if (found.length >= MOST_FILES) return undefined;
          const at = `${folder}/${entry.name}`;
          found.push(at);
          const target = entry.isSymbolicLink() ? statSync(at, { throwIfNoEntry: false }) : entry;
          if (target?.isDirectory() === true) folders.push(at);
        }
      return found;
    } catch {
      return undefined;
    }
  },
  get environment(): NodeJS.ProcessEnv {
    return process.env;
  },
  /** What can't be looked at counts as there. */
  holdsData(path: string, cwd: string): boolean {
    const [lexical = path] = nodePaths.spellings(path, cwd);
    try {
      const found = builtin.fs.lstatSync(lexical, { throwIfNoEntry: false });
      return found !== undefined && !found.isSymbolicLink() && (found.isDirectory() || found.size > 0);
    } catch {
      return true;
    }
  },
};

/** The same for a call of another process, whose environment this is. */
export function rulePortsFor(environment: NodeJS.ProcessEnv): typeof nodeRulePorts {
  return { ...nodeRulePorts, environment };
}

const KEPT = {
  milliseconds: 7 * 24 * 60 * 60 * 1000,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => name.endsWith(".txt"),
};

/**
 * Stores long texts in files that only this user can read, for a week. Returns `undefined` when nothing can be written.
 */
export function fileSpill(folder = (): string => builtin.path.join(stateFolder(), "context")): Spill {
  return (text, { hook, event_id }) => {
    try {
      const directory = folder();
      makeFolders(directory);
      tidy(directory, KEPT);
      return writeNew(directory, `${event_id}-${hook.replaceAll(/[^\w.-]/g, "_").slice(0, 60)}`, text);
    } catch {
      return undefined;
    }
  };
}

/** One hook may store several texts on one event. */
function writeNew(directory: string, name: string, text: string): string {
  for (let number = 1; ; number += 1) {
    const path = builtin.path.join(directory, `${name}${number === 1 ? "" : `-${number}`}.txt`);
    try {
      builtin.fs.writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return path;
    } catch (error) {
      if (systemCode(error) !== "EEXIST" || number > 1000) throw error;
    }
  }
}
