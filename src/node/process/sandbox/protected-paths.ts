import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Never writable in a workspace, because it decides what commands do. */
const IN_WORKSPACE = [".tenterhook", ".agent", ".claude"];

/**
 * What git runs, or what configures that. A worktree has a file instead of the folder. The rest of `.git` is written by
 * every commit.
 */
const OF_GIT = {
  folder: [".git/hooks", ".git/config", ".git/config.worktree"],
  file: [".git"],
  none: [".git/hooks"],
} as const;

/** Never writable in the home folder, even inside a workspace: keys, and what runs at login. */
const IN_HOME = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".gitconfig",
  ".git-credentials",
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
];

/** What a sandbox protects inside writable folders. */
export interface ProtectedPaths {
  readonly readOnly: readonly string[];
  /**
   * The folders above them, outermost first: writable, but not movable. Otherwise a protected path could be moved away
   * and recreated.
   */
  readonly parents: readonly string[];
}

/** The paths inside writable folders that a sandbox protects, whether they exist or not. */
export function protectedPaths(workspace: readonly string[], home: string): ProtectedPaths {
  const ofHome = IN_HOME.map((name) => join(home, name));
  const inside = workspace.map((folder) => {
    const own = [...IN_WORKSPACE, ...OF_GIT[gitEntry(folder)]].map((name) => join(folder, name));
    const readOnly = [...own, ...ofHome.filter((path) => path.startsWith(join(folder, "/")))];
    return { readOnly, parents: readOnly.flatMap((path) => between(folder, path)) };
  });
  const parents = new Set(inside.flatMap((each) => each.parents));
  return {
    readOnly: [...new Set(inside.flatMap((each) => each.readOnly))],
    parents: [...parents].sort((one, other) => one.length - other.length),
  };
}

/** What `.git` is in a folder. */
export function gitEntry(folder: string): keyof typeof OF_GIT {
  const found = statSync(join(folder, ".git"), { throwIfNoEntry: false });
  if (found === undefined) return "none";
  return found.isDirectory() ? "folder" : "file";
}

function between(folder: string, path: string): readonly string[] {
  const above = dirname(path);
  return above.length <= folder.length ? [] : [above, ...between(folder, above)];
}
