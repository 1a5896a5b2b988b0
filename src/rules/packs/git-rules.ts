import { type PackRule, runsAny } from "./pack.ts";

/** Git commands that throw away work or history: shared by `safe-shell` and `git-safety`. */
export const GIT_LOSSES: readonly PackRule[] = [
  {
    when: runsAny([
      "git push -f",
      "git push --mirror",
      "git push +*",
      "git push --force-if-includes",
      "git push --prune",
    ]),
    answer: "ask",
    reason: "A forced push overwrites commits on the remote.",
  },
  {
    when: runsAny(["git push -d", "git push :*"]),
    answer: "ask",
    reason: "This deletes a branch or tag on the remote.",
  },
  {
    when: runsAny([
      "git reset --hard",
      "git reset --merge",
      "git reset --keep",
      "git checkout -f",
      "git switch -f",
      "git switch --discard-changes",
      "git read-tree --reset",
      "git checkout-index -f",
    ]),
    answer: "ask",
    reason: "This throws away changes that are not committed.",
  },
  {
    when: `(${runsAny(["git checkout .", "git checkout ./", "git checkout *:/*", "git restore .", "git restore ./", "git restore *:/*", 'git restore "[*]*"'])} and not command runs "git restore --staged") or command matches "\\\\bgit\\\\s+(-\\\\S+\\\\s+)*checkout\\\\s+(\\\\S+\\\\s+)?--\\\\s" or command runs "git restore --worktree" or command runs "git restore --source"`,
    answer: "ask",
    reason: "This overwrites files with their committed state.",
  },
  {
    when: `${runsAny(["git clean -f", "git clean -x", "git clean -X", "git -c clean.requireForce=false"])} and not command runs "git clean -n" and not command runs "git clean --dry-run"`,
    answer: "ask",
    reason: "This deletes files git does not track.",
  },
  {
    when: runsAny(["git branch -D", "git branch -d -f", "git update-ref -d", "git symbolic-ref -d"]),
    answer: "ask",
    reason: "This deletes a branch even if its commits are nowhere else.",
  },
  {
    when: runsAny([
      "git stash drop",
      "git stash clear",
      "git reflog expire",
      "git reflog delete",
      "git gc --prune",
      "git prune",
      "git worktree remove -f",
      "git submodule deinit -f",
      "git lfs prune",
      "git replace",
    ]),
    answer: "ask",
    reason: "This removes what git keeps to bring work back.",
  },
  {
    when: runsAny([
      "git filter-branch",
      "git filter-repo",
      "git-filter-repo",
      "bfg",
      "git fast-import -f",
      "git rebase --root",
      "git checkout --orphan",
    ]),
    answer: "ask",
    reason: "This rewrites the history of the repository.",
  },
  {
    when: `${runsAny(["git rm -r", "git rm -f"])} and not command runs "git rm --cached"`,
    answer: "ask",
    reason: "This deletes files from the working tree.",
  },
];
