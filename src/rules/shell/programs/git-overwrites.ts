import type { GitChange } from "../../../core/contracts/overwrites.ts";
import type { ShellOverwrite } from "../analysis.ts";
import { isKnown } from "../words/partly-known-text.ts";
import { joinPath } from "../words/paths.ts";
import { anything, patchedFrom } from "./overwrites.ts";
import type { FindOverwrites, Invocation } from "./program-row.ts";
import { has, valuesOf } from "./row-parts.ts";

type FindGitOverwrites = (invocation: Invocation, args: readonly string[]) => readonly ShellOverwrite[];

function taken(
  { folder }: Invocation,
  change: GitChange,
  revisions: readonly string[],
): readonly ShellOverwrite[] {
  return revisions.map((revision) => ({
    into: folder === "" ? "." : folder,
    from: isKnown(revision)
      ? { kind: "git", change, revision }
      : { kind: "git", change: "unknown", revision: "" },
  }));
}

/** Goes on with, or ends, what was started before. */
const LATER = ["--abort", "--continue", "--skip", "--quit", "--edit-todo", "--show-current-patch"];

/** Revisions whose changes are added to what is checked out. */
function adds(change: GitChange): FindGitOverwrites {
  return (invocation, args) => (has(invocation, ...LATER) ? [] : taken(invocation, change, args));
}

/** Without a path the whole folder becomes that of another revision. */
const checkout: FindGitOverwrites = (invocation, args) => {
  if (has(invocation, "--orphan")) return [];
  const dashes = invocation.words.indexOf("--");
  const paths = dashes === -1 ? args.slice(1) : invocation.words.slice(dashes + 1);
  if (paths.length > 0) return anything(invocation, dashes === -1 ? args : paths);
  return taken(invocation, "checkout", args.slice(0, 1));
};

/** Settings that decide where a pull comes from. */
const PULLS_FROM = /^(?:branch|remote|url)\./i;

/** `git pull origin main` merges `origin/main`; what is newer than the last fetch can't be known. */
const pull: FindGitOverwrites = (invocation, [remote, ...branches]) => {
  if (remote === ".") return taken(invocation, "merge", branches);
  if (invocation.words.some((word) => PULLS_FROM.test(word))) return unknown(invocation, []);
  const names = branches.map(
    (branch) => `refs/remotes/${remote}/${branch.replace(/^\+?(?:refs\/heads\/)?|:.*$/g, "")}`,
  );
  const found = taken(invocation, "pull", names.length > 0 ? names : ["@{upstream}"]);
  if (remote === undefined) return found;
  return found.map(({ into, from }) => ({ into, from: from.kind === "git" ? { ...from, remote } : from }));
};

const stash: FindGitOverwrites = (invocation, [command = "", ...rest]) => {
  if (!/^(?:pop|apply|branch)$/.test(command)) return [];
  const name = rest[command === "branch" ? 1 : 0] ?? "0";
  return taken(invocation, "stash", [/^\d+$/.test(name) ? `stash@{${name}}` : name]);
};

const patches: FindGitOverwrites = (invocation, args) => {
  const looks = has(invocation, ...LATER, "--check", "--stat", "--numstat", "--summary", "--cached");
  return looks ? [] : patchedFrom(invocation, args, valuesOf(invocation.parsed, "--directory")[0]);
};

const unknown: FindGitOverwrites = (invocation) => taken(invocation, "unknown", [""]);

const COMMANDS: Readonly<Record<string, FindGitOverwrites>> = {
  checkout,
  switch: checkout,
  reset: (invocation, args) =>
    has(invocation, "--keep") ? taken(invocation, "checkout", args.slice(0, 1)) : [],
  restore: (invocation, args) =>
    has(invocation, "--staged") && !has(invocation, "--worktree") ? [] : anything(invocation, args),
  merge: adds("merge"),
  rebase: (invocation, args) =>
    has(invocation, ...LATER)
      ? []
      : [
          ...taken(invocation, "checkout", [...valuesOf(invocation.parsed, "--onto"), ...args.slice(0, 1)]),
          ...(args.length === 0 ? taken(invocation, "pull", ["@{upstream}"]) : []),
        ],
  pull,
  "cherry-pick": adds("commit"),
  revert: adds("commit"),
  stash,
  apply: patches,
  am: patches,
  bisect: (invocation, [command = ""]) =>
    /^(?:log|view|visualize|terms|help)?$/.test(command) ? [] : unknown(invocation, []),
  // Files of folders that are left out go, also those that git ignores.
  "sparse-checkout": (invocation, [command = ""]) =>
    /^(?:list|check-rules|disable)?$/.test(command)
      ? []
      : [...unknown(invocation, []), ...anything(invocation, ["."])],
  "filter-branch": unknown,
  "filter-repo": unknown,
  worktree: (invocation, [command = "", path]) =>
    /^(?:remove|move)$/.test(command) && path !== undefined ? anything(invocation, [path]) : [],
  mv: (invocation, args) => anything(invocation, args.slice(0, -1)),
  rm: (invocation, args) =>
    has(invocation, "--cached", "--dry-run", "-n") ? [] : anything(invocation, args),
};

/** What commands of git overwrite. Paths start at the folder of `-C`. */
export const gitOverwrites: FindOverwrites = (given) => {
  const [command = "", ...args] = given.parsed.args;
  const find = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (find === undefined) return [];
  const before = given.words.slice(0, given.words.indexOf(command));
  const at = before.indexOf("-C");
  const folder = at === -1 ? given.folder : joinPath(given.folder, before[at + 1] ?? "");
  return find({ ...given, folder }, args);
};

/** `gh pr checkout`: the branch of somebody else. */
export const pullRequests: FindOverwrites = (invocation) =>
  invocation.parsed.args[0] === "pr" && invocation.parsed.args[1] === "checkout"
    ? taken(invocation, "unknown", [""])
    : [];
