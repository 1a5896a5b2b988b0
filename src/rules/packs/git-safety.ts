import { GIT_LOSSES } from "./git-rules.ts";
import { examples, onToolCall, type Pack, runsAny, touchesAny } from "./pack.ts";

/** Everything in a repository's folder but the lock that a killed git leaves behind. */
const GIT_FILES = "**/.git/{[!i]*,i[!n]*,in[!d]*,index}{,/**}";

/** Git commands that lose work, rewrite what others have, or switch checks off. */
export const gitSafety: Pack = {
  name: "git-safety",
  description: "Asks before git loses work, rewrites shared history or bypasses hooks.",
  definitions: [
    onToolCall(
      "git-safety-losses",
      "Commands that discard changes, branches or history ask first.",
      GIT_LOSSES,
      examples(
        [
          "git reset --hard HEAD~1",
          "git push --force",
          "git -C app clean -fdx",
          "git branch -D old",
          "git checkout -- src/a.ts",
          "git stash clear",
        ],
        [
          "git reset --soft HEAD~1",
          "git push origin topic",
          "git clean -n",
          "git branch -d merged",
          "git checkout main",
          "git stash",
        ],
      ),
    ),
    onToolCall(
      "git-safety-shared",
      "The main branch, the hooks and the settings of git change only after a person approves.",
      [
        {
          runs: [
            "git push * {main,master,trunk,production,release} !-n",
            "git push *:{main,master,trunk,production,release} !-n",
            "git push --force-with-lease !-n",
            "git push -a !-n",
            "git push --tags !-n",
          ],
          reason: "This changes a branch that others build on.",
        },
        {
          when: runsAny([
            "git commit --no-verify",
            "git commit -n",
            "git push --no-verify",
            "git merge --no-verify",
            "git config core.hooksPath *",
            "git -c core.hooksPath=*",
            "git config --unset core.hooksPath",
          ]),
          reason: "This bypasses the repository's hooks.",
        },
        {
          when: runsAny([
            "git config --global *.* *",
            "git config --system *.* *",
            "git config --unset --global",
            "git config --unset --system",
            "git config {set,unset,edit,remove-section,rename-section} --global",
            "git config {set,unset,edit,remove-section,rename-section} --system",
            "git config --edit --global",
            "git config --add --global",
            "git config --replace-all --global",
            "git config --remove-section --global",
            "git remote set-url",
            "git remote remove",
            "git remote rm",
          ]),
          reason: "This changes git settings beyond this task.",
        },
        {
          when: touchesAny("writes", ["**/.git", GIT_FILES]),
          reason: "This writes into git's own files.",
        },
      ],
      examples(
        [
          "git push origin main",
          "git commit --no-verify -m x",
          "rm -rf .git",
          "echo x > .git/hooks/pre-commit",
        ],
        [
          "rm -f .git/index.lock",
          "git push origin topic",
          "git commit -m x",
          "git config user.name",
          "cat .git/HEAD",
        ],
      ),
    ),
  ],
};
