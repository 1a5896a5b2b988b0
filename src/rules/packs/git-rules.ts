import type { PackRule } from "./pack.ts";

/** One argument that is a file and no branch, by its ending. */
const SOURCE_FILES =
  "*.{ts,tsx,js,jsx,mjs,cjs,json,py,go,rs,rb,java,kt,c,h,cc,cpp,cs,php,md,txt,yml,yaml,toml,css,scss,html,vue,svelte,sh,sql,lock,xml,swift,proto,tf,ini,cfg,gradle,env}";

/** Git commands that throw away work or history: shared by `safe-shell` and `git-safety`. */
export const GIT_LOSSES: readonly PackRule[] = [
  {
    runs: ["git push -f !-n", "git push --mirror !-n", "git push +* !-n", "git push --prune !-n"],
    reason: "A forced push overwrites commits on the remote.",
  },
  {
    runs: [
      "git push --force-with-lease * {main,master,trunk,production,prod,release}{,/*}",
      "git push --force-with-lease * *:{main,master,trunk,production,prod,release}{,/*}",
    ],
    reason: "A forced push overwrites commits on a branch that others build on.",
  },
  {
    runs: ["git push -d !-n", "git push :* !-n"],
    reason: "This deletes a branch or tag on the remote.",
  },
  {
    runs: [
      "git reset --hard",
      "git reset --merge",
      "git reset --keep",
      "git checkout -f",
      "git switch -f",
      "git switch --discard-changes",
      "git read-tree --reset",
      "git checkout-index -f",
    ],
    reason: "This discards uncommitted changes.",
  },
  {
    runs: [
      `git checkout {.,./*,../*,:/,:/*,[*],*/,*[*]*,${SOURCE_FILES}} !--ours !--theirs !-t`,
      "git checkout * * !-b !-B !-t !--track !--orphan !-d !--ours !--theirs",
      "git checkout --",
      "git checkout --pathspec-from-file",
      "git restore * !--staged !-S",
      "git restore --pathspec-from-file !--staged !-S",
      "git restore --worktree",
      "git restore -W",
      "git restore --source !--staged !-S",
      "git restore -s !--staged !-S",
    ],
    reason: "This overwrites files with their committed state.",
  },
  {
    runs: [
      "git clean -f !-n",
      "git clean -x !-n",
      "git clean -X !-n",
      "git -c clean.requireForce=false clean",
    ],
    reason: "This deletes files git does not track.",
  },
  {
    runs: ["git branch -D", "git branch -d -f", "git update-ref -d", "git symbolic-ref -d"],
    reason: "This deletes a branch even if its commits are nowhere else.",
  },
  {
    runs: [
      "git branch -f * *",
      "git branch -M * *",
      "git branch -C * *",
      "git checkout -B * *",
      "git switch -C * *",
      "git switch --force-create * *",
      "git update-ref refs/heads/* *",
      "git tag -f * *",
      "git fetch -f *:*",
      "git fetch * +*:{refs/heads/,[!r]}*",
    ],
    reason: "This moves a branch or tag, and commits may be reachable from nowhere else.",
  },
  {
    runs: [
      "git stash {drop,clear}",
      "git reflog {expire,delete}",
      "git gc --prune",
      "git prune !-n",
      "git worktree remove -f",
      "git submodule deinit -f",
      "git lfs prune",
      "git replace * *",
      "git replace -d",
      "git replace -e",
      "git maintenance run --task gc",
    ],
    reason: "This removes what git needs to recover lost work.",
  },
  {
    runs: [
      "git filter-branch",
      "git filter-repo",
      "git-filter-repo",
      "bfg",
      "git fast-import -f",
      "git rebase --root",
      "git checkout --orphan",
    ],
    reason: "This rewrites the history of the repository.",
  },
  {
    runs: [
      "hg {update,up,checkout,co} -C",
      "hg {update,up,checkout,co} --clean",
      "hg {purge,strip,rollback}",
      "hg revert --all",
      "svn revert -R",
      "svn revert --recursive",
      "svn cleanup --remove-unversioned",
      "jj abandon",
      "jj op restore",
      "bzr revert",
    ],
    reason: "This discards changes or history in another version control system.",
  },
  {
    runs: ["git rm -r !--cached !-n", "git rm -f !--cached !-n"],
    reason: "This deletes files from the working tree.",
  },
];
