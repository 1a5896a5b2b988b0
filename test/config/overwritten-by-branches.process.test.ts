import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { askedAbout, guarded } from "./support/guarded.ts";
import type { Project } from "./support/project.ts";

function git(files: Project, ...words: readonly string[]): void {
  const settings = [
    "user.name=a",
    "user.email=a@example.com",
    "commit.gpgsign=false",
    "maintenance.auto=false",
  ];
  const options = settings.flatMap((setting) => ["-c", setting]);
  execFileSync("git", [...options, ...words], { cwd: files.path("project"), stdio: "ignore" });
}

function commit(files: Project, message: string): void {
  git(files, "add", "-A");
  git(files, "commit", "-q", "-m", message);
}

/** A copy of the repository that the first test made. */
const made = join(mkdtempSync(join(tmpdir(), "tenterhook-repository-")), "project");
afterAll(() => rmSync(dirname(made), { recursive: true, force: true }));

/** `before` has no hooks, `main` has them, `same` changes other files, `tamed` changes a script, `fetched` is a remote's. */
function repository(): Project {
  const files = guarded();
  if (existsSync(made)) {
    rmSync(files.path("project"), { recursive: true });
    cpSync(made, files.path("project"), { recursive: true, preserveTimestamps: true });
    return files;
  }
  rmSync(files.path("project/.git"), { recursive: true });
  git(files, "init", "-q", "-b", "before");
  writeFileSync(files.path("project/readme.md"), "one\n");
  git(files, "add", "readme.md");
  git(files, "commit", "-q", "-m", "first");
  git(files, "checkout", "-q", "-b", "main");
  commit(files, "hooks");
  git(files, "checkout", "-q", "-b", "tamed");
  writeFileSync(files.path("project/hooks/guard.sh"), "exit 1\n");
  commit(files, "tamed");
  git(files, "checkout", "-q", "-b", "same", "main");
  writeFileSync(files.path("project/readme.md"), "two\n");
  commit(files, "same");
  git(files, "remote", "add", "origin", files.path("origin"));
  git(files, "update-ref", "refs/remotes/origin/remote-tamed", "tamed");
  git(files, "update-ref", "refs/remotes/origin/main", "main");
  git(files, "branch", "--set-upstream-to", "origin/main", "main");
  git(files, "checkout", "-q", "main");
  cpSync(files.path("project"), made, { recursive: true, preserveTimestamps: true });
  return files;
}

describe("a branch", () => {
  it("is asked about when protected files differ there", async () => {
    const lines = [
      "git switch before",
      "git checkout before",
      "git checkout tamed",
      "git checkout -b other tamed",
      "git switch -c other tamed",
      "git switch --detach HEAD~1",
      "git checkout remote-tamed",
      "git merge tamed",
      "git merge --no-ff tamed -m x",
      "git rebase before",
      "git pull origin remote-tamed",
      "git pull . tamed",
      "git pull ../elsewhere main",
      "git pull ../elsewhere",
      "git pull https://example.com/x.git main",
      "git pull origin never-fetched",
      "git -c branch.main.remote=../elsewhere pull",
      "git sparse-checkout set src",
      "git sparse-checkout init --cone",
      "git -C . sparse-checkout reapply",
      "git cherry-pick tamed",
      "git cherry-pick main..tamed",
      "git revert --no-edit HEAD",
      "git checkout before -- hooks",
      "git checkout before hooks",
      "git restore -s before hooks",
      "git -C . switch before",
      "cd .. && cd project && git switch before",
      "git bisect start HEAD before",
      "git fetch && git checkout FETCH_HEAD",
      "gh pr checkout 12",
      "git worktree remove ../project",
      "git worktree remove --force .",
    ];
    expect(await askedAbout(repository(), lines)).toEqual(lines);
  });

  it("is not asked about when they are the same there, or nothing is checked out", async () => {
    const lines = [
      "git switch same",
      "git checkout same",
      "git checkout -b topic",
      "git switch -c topic same",
      "git checkout --orphan fresh",
      "git switch -",
      "git merge same",
      "git merge before",
      "git merge --abort",
      "git rebase same",
      "git rebase --continue",
      "git cherry-pick same",
      "git revert same",
      "git pull",
      "git pull --rebase origin main",
      "git pull origin",
      "git pull -X theirs origin +refs/heads/main",
      "git sparse-checkout list",
      "git fetch origin",
      "git checkout readme.md",
      "git checkout before -- readme.md",
      "git worktree add ../elsewhere before",
      "git worktree list",
      "git branch -D same",
      "git diff before",
      "git log before",
    ];
    expect(await askedAbout(repository(), lines)).toEqual([]);
  });

  it("is not asked about in another repository", async () => {
    const files = repository();
    mkdirSync(files.path("other"));
    execFileSync("git", ["init", "-q"], { cwd: files.path("other") });
    expect(await askedAbout(files, [`cd ${files.path("other")} && git checkout nowhere`])).toEqual([]);
  });

  it("that is pulled is asked about when nothing says what was fetched", async () => {
    const files = repository();
    git(files, "config", "branch.same.remote", "../elsewhere");
    git(files, "config", "branch.same.merge", "refs/heads/main");
    git(files, "update-ref", "refs/remotes/elsewhere/main", "main");
    git(files, "checkout", "-q", "same");
    expect(await askedAbout(files, ["git pull", "git pull elsewhere main"])).toEqual([
      "git pull",
      "git pull elsewhere main",
    ]);
  });

  it("is compared without running what the repository configures", async () => {
    const files = repository();
    for (const key of ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand"])
      git(files, "config", key, `touch ${files.path("ran")}`);
    expect(await askedAbout(files, ["git switch before", "git switch same"])).toEqual(["git switch before"]);
    expect(() => execFileSync("ls", [files.path("ran")], { stdio: "ignore" })).toThrow();
  });

  it("stashed is asked about only if the stash holds protected files", async () => {
    const files = repository();
    writeFileSync(files.path("project/readme.md"), "three\n");
    git(files, "stash");
    expect(await askedAbout(files, ["git stash pop", "git stash apply"])).toEqual([]);
    writeFileSync(files.path("project/.claude/settings.json"), '{ "hooks": {} }\n');
    git(files, "stash");
    expect(await askedAbout(files, ["git stash pop", "git stash apply stash@{1}", "git stash drop"])).toEqual(
      ["git stash pop"],
    );
  });
});
