import { GIT_LOSSES } from "./git-rules.ts";
import { onToolCall, type Pack, runsAny, touchesAny } from "./pack.ts";

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
    ),
    onToolCall(
      "git-safety-shared",
      "The main branch, the hooks and the settings of git change only after a person approves.",
      [
        {
          id: "git-push-main",
          runs: [
            "git push * {main,master,trunk,production,release} !-n",
            "git push *:{main,master,trunk,production,release} !-n",
            "git push --force-with-lease !-n",
            "git push -a !-n",
            "git push --tags !-n",
          ],
          reason: "This changes a branch that others build on.",
          instead: "Push a branch of your own and open a pull request.",
          stops: ["git push origin main", "git push --tags"],
          passes: ["git push origin topic", "git push -n origin main"],
        },
        {
          id: "git-skip-hooks",
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
          instead: "Commit with the hooks, and mend what they report.",
          stops: ["git commit --no-verify -m x", "git -c core.hooksPath=/dev/null commit -m x"],
          passes: ["git commit -m x"],
        },
        {
          id: "git-settings",
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
          instead: "Set it for this repository alone: git config NAME VALUE.",
          stops: ["git config --global user.name me", "git remote set-url origin https://example.com/r.git"],
          passes: ["git config user.name", "git config user.name me"],
        },
        {
          id: "git-own-files",
          when: touchesAny("writes", ["**/.git", GIT_FILES]),
          reason: "This writes into git's own files.",
          instead: "Use the git command that makes the change.",
          stops: ["rm -rf .git", "echo x > .git/hooks/pre-commit"],
          passes: ["rm -f .git/index.lock", "cat .git/HEAD"],
        },
      ],
    ),
  ],
};
