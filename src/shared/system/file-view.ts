import type { PathNormaliser } from "../../core/match/paths.ts";

/** What is at a path, and not at what it leads to. */
export type FileEntry =
  | { readonly is: "folder" }
  | { readonly is: "file"; readonly empty: boolean }
  | { readonly is: "link"; readonly to: string };

/** How a system writes paths: the part of `node:path` that is needed here. */
export interface PathSyntax {
  readonly sep: string;
  isAbsolute(path: string): boolean;
  /** All of it absolute, with `.` and `..` resolved by text. */
  resolve(...paths: string[]): string;
  join(...paths: string[]): string;
  parse(path: string): { readonly root: string };
}

/** A file system, as far as paths and rules ask about it. */
export interface FileView {
  readonly syntax: PathSyntax;
  /** The user's home folder. */
  readonly home: string;
  /** `undefined` where nothing is. Throws when nobody can look there. */
  entryAt(path: string): FileEntry | undefined;
  /** A path of something that exists as the system spells it: some find `.env` by the name `.ENV`. */
  trueSpelling(path: string): string;
}

/** Paths of a file system: `~` is the home folder, and symbolic links are followed as the system does. */
export function pathsOf(view: FileView): PathNormaliser {
  return {
    spellings(path, cwd) {
      const written = withHome(path, view);
      const led = throughProc(written, cwd);
      const found = spell(written, cwd, view);
      return led === undefined ? found : [...new Set([...found, ...spell(led, cwd, view)])];
    },
  };
}

function withHome(path: string, { home, syntax }: FileView): string {
  if (path !== "~" && !path.startsWith("~/") && !path.startsWith("~\\")) return path;
  return syntax.join(home, path.slice(1));
}

function spell(written: string, cwd: string, view: FileView): readonly string[] {
  const { isAbsolute, resolve } = view.syntax;
  const lexical = resolve(cwd, written);
  const real = realPath(
    isAbsolute(written) ? written : `${isAbsolute(cwd) ? cwd : resolve(cwd)}/${written}`,
    view,
  );
  // Programs that resolve `..` by text open another file than those that leave it to the system.
  const byText = written.includes("..") ? realPath(lexical, view) : real;
  return real === lexical && byText === lexical ? [lexical] : [...new Set([lexical, byText, real])];
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

const MOST_LINKS = 40;

/**
 * Resolves a path part by part: `..` after a link is the parent of the link's target, and a link may lead to a missing
 * file. Below a missing part there are no links, so that a long path costs no more than its existing part.
 */
function realPath(path: string, view: FileView): string {
  const { parse, sep, join } = view.syntax;
  const { root } = parse(path);
  let rest = split(path.slice(root.length), sep).reverse();
  let real = root || sep;
  let links = 0;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    const next = join(real, part);
    const target = part === ".." || links >= MOST_LINKS ? NO_LINK : linkTarget(next, view);
    if (target === NOT_THERE) return join(view.trueSpelling(real), part, rest.reverse().join(sep));
    if (target === NO_LINK) {
      real = next;
      continue;
    }
    links += 1;
    const from = parse(target.to).root;
    if (from !== "") real = from;
    rest = [...rest, ...split(target.to.slice(from.length), sep).reverse()];
  }
  return view.trueSpelling(real);
}

const NO_LINK = "no link";
const NOT_THERE = "not there";

function linkTarget(
  path: string,
  view: FileView,
): { readonly to: string } | typeof NO_LINK | typeof NOT_THERE {
  try {
    const entry = view.entryAt(path);
    if (entry === undefined) return NOT_THERE;
    return entry.is === "link" ? entry : NO_LINK;
  } catch {
    // Nothing can be found at it or below it.
    return NOT_THERE;
  }
}

function split(path: string, sep: string): string[] {
  return path.split(sep === "\\" ? /[\\/]+/ : "/").filter((part) => part !== "" && part !== ".");
}

/** What rules need from a file system. */
export interface FileRulePorts {
  normalisePath(path: string, cwd: string): string;
  readonly home: string;
  holdsData(path: string, cwd: string): boolean;
}

export function fileRulePorts(view: FileView): FileRulePorts {
  const paths = pathsOf(view);
  return {
    /** Resolves symbolic links. */
    normalisePath(path, cwd) {
      const spellings = paths.spellings(path, cwd);
      return spellings[spellings.length - 1] ?? path;
    },
    get home() {
      return view.home;
    },
    /** What can't be looked at counts as there. */
    holdsData(path, cwd) {
      const [lexical = path] = paths.spellings(path, cwd);
      try {
        const entry = view.entryAt(lexical);
        return entry !== undefined && entry.is !== "link" && (entry.is === "folder" || !entry.empty);
      } catch {
        return true;
      }
    },
  };
}
