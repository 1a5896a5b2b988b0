import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** What stays as it is inside a workspace that may be written, since it decides over commands. */
const IN_WORKSPACE = [".tenterhook", ".agent", ".claude"];

/**
 * What git runs, or what says what it runs. A worktree has a file in place of the folder, which says where that is. The
 * rest of the folder is written by every commit.
 */
const OF_GIT = {
  folder: [".git/hooks", ".git/config", ".git/config.worktree"],
  file: [".git"],
  none: [".git/hooks"],
} as const;

/** What stays as it is in the home, also when a workspace holds it: keys, and what runs when the user logs in. */
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

/** What a sandbox keeps inside writable folders. */
export interface KeptPaths {
  /** Can't be written. */
  readonly kept: readonly string[];
  /**
   * The folders on the way to them, outer ones first: can be written but not moved, or what is kept could be moved away
   * with them and made anew.
   */
  readonly passed: readonly string[];
}

/** The paths inside writable folders that a sandbox keeps as they are, whether they are there or not. */
export function keptPaths(workspace: readonly string[], home: string): KeptPaths {
  const ofHome = IN_HOME.map((name) => join(home, name));
  const inside = workspace.map((folder) => {
    const own = [...IN_WORKSPACE, ...OF_GIT[gitEntry(folder)]].map((name) => join(folder, name));
    const kept = [...own, ...ofHome.filter((path) => path.startsWith(join(folder, "/")))];
    return { kept, passed: kept.flatMap((path) => between(folder, path)) };
  });
  const passed = new Set(inside.flatMap((each) => each.passed));
  return {
    kept: [...new Set(inside.flatMap((each) => each.kept))],
    passed: [...passed].sort((one, other) => one.length - other.length),
  };
}

/** What stands for a repository in a folder. */
export function gitEntry(folder: string): keyof typeof OF_GIT {
  const found = statSync(join(folder, ".git"), { throwIfNoEntry: false });
  if (found === undefined) return "none";
  return found.isDirectory() ? "folder" : "file";
}

function between(folder: string, path: string): readonly string[] {
  const above = dirname(path);
  return above.length <= folder.length ? [] : [above, ...between(folder, above)];
}
