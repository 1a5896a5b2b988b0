import type { OverwriteSource } from "../../core/contracts/overwrites.ts";
import { builtin } from "../builtin.ts";

type GitSource = Extract<OverwriteSource, { readonly kind: "git" }>;

/** A repository's configuration names programs; none of them may run because somebody looks at its commits. */
const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager"];
const ENVIRONMENT = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };
const LONGEST_MS = 5_000;
const MOST_BYTES = 4_000_000;

/** The wanted files that git would change, by comparing commits. `undefined` when it can't say. */
export function changedByGit(
  { change, revision, remote }: GitSource,
  folder: string,
  wanted: readonly string[],
): readonly string[] | undefined {
  const root = askGit(folder, ["rev-parse", "--show-toplevel"])?.trim();
  // Outside of a repository git does nothing.
  if (root === undefined || root === "") return [];
  const ways = new Map(wanted.flatMap((file) => waysFrom(root, file).map((way) => [way, file] as const)));
  if (ways.size === 0) return [];
  const limit = ["--", ...[...ways.keys()].map((way) => `:(top,literal)${way}`)];
  const names = (words: readonly string[]): readonly string[] | undefined =>
    askGit(root, [...words, ...limit])
      ?.split("\0")
      .filter((name) => name !== "");
  const changed = (...trees: readonly string[]) =>
    names(["diff-tree", "-r", "-z", "--root", "--no-commit-id", "--name-only", "--no-renames", ...trees]);
  const stored = (tree: string) => names(["ls-tree", "-r", "-z", "--name-only", tree]);
  const found =
    change === "pull"
      ? changedByPull(root, revision, remote, changed)
      : namesChanged(change, spelled(revision), changed, stored);
  if (found === undefined && change === "checkout" && isTracked(folder, revision))
    return wanted.filter((file) => isWithin(builtin.path.resolve(folder, revision), file));
  const tracked = found ?? names(["ls-files", "-z"]);
  return tracked?.flatMap((name) => {
    const way = [...ways.keys()].find((one) => name === one || name.startsWith(`${one}/`));
    return way === undefined ? [] : [`${ways.get(way)}${name.slice(way.length)}`];
  });
}

type Names = readonly string[] | undefined;

/** What was fetched last from a remote that has a name. All else that is pulled is unknown. */
function changedByPull(
  root: string,
  revision: string,
  remote: string | undefined,
  changed: (...trees: readonly string[]) => Names,
): Names {
  const isSet = (words: readonly string[]) => askGit(root, ["config", ...words]) !== undefined;
  if (remote !== undefined && !isSet(["--get-all", `remote.${remote}.url`])) return undefined;
  const found = changed("--merge-base", "HEAD", revision);
  if (found !== undefined || remote !== undefined) return found;
  // Without a remote and without an upstream git pulls nothing.
  return isSet(["--get-regexp", "^(remote|branch)\\."]) ? undefined : [];
}

/** `undefined` when it is unknown what changes. */
function namesChanged(
  change: Exclude<GitSource["change"], "pull">,
  revision: string,
  changed: (...trees: readonly string[]) => Names,
  listed: (tree: string) => Names,
): Names {
  const range = /^(.+?)\.{2,3}(.+)$/.exec(revision);
  switch (change) {
    case "checkout":
      return changed("HEAD", revision) ?? changed("HEAD", `origin/${revision}`);
    case "merge":
      return changed("--merge-base", "HEAD", revision);
    case "commit":
      return range === null ? changed("-m", revision) : changed(range[1] ?? "", range[2] ?? "");
    case "stash": {
      const stashed = changed(`${revision}^1`, revision);
      return stashed === undefined ? [] : [...stashed, ...(listed(`${revision}^3`) ?? [])];
    }
    case "unknown":
      return undefined;
    default:
      return change satisfies never;
  }
}

/** True when a word of `git checkout` names files and not a revision. */
function isTracked(folder: string, path: string): boolean {
  return (askGit(folder, ["ls-files", "-z", "--", `:(literal)${path}`]) ?? "") !== "";
}

function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}${builtin.path.sep}`);
}

/** A revision that can't be taken for an option. */
function spelled(revision: string): string {
  return revision === "-" ? "@{-1}" : revision.replace(/^-+/, "");
}

function waysFrom(root: string, file: string): readonly string[] {
  const { relative, sep } = builtin.path;
  const way = relative(root, file).replaceAll(sep, "/");
  return way === "" || way.startsWith("../") || /^(?:[A-Za-z]:|\/)/.test(way) ? [] : [way];
}

/** What git prints; `undefined` when it fails or takes too long. */
function askGit(folder: string, words: readonly string[]): string | undefined {
  const { status, stdout } = builtin.childProcess.spawnSync("git", [...QUIET, ...words], {
    cwd: folder,
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
    maxBuffer: MOST_BYTES,
    windowsHide: true,
  });
  return status === 0 ? stdout : undefined;
}
