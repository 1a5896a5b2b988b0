import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { askedAbout, guarded, HOOK } from "./support/guarded.ts";
import { type Project, project } from "./support/project.ts";
import { OTHER_PATCH, SETTINGS_PATCH, tar, zip } from "./support/sources.ts";

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

describe("a patch", () => {
  it("is asked about when it changes protected files, or can't be read", async () => {
    const files = guarded();
    files.write("project/bad.patch", SETTINGS_PATCH);
    files.write(
      "project/quoted.patch",
      OTHER_PATCH.replaceAll("b/src/a.ts", '"b/\\056claude/settings.json"'),
    );
    files.write("project/relative.patch", SETTINGS_PATCH.replaceAll(".claude/", ""));
    const script = SETTINGS_PATCH.replaceAll(".claude/settings.json", "hooks/guard.sh");
    const variants = [
      script.replaceAll("hooks/", "hooks//"),
      script.replaceAll("hooks/", "hooks/./"),
      script.replaceAll("hooks/", "hooks/x/../"),
      script.replaceAll(/^diff.*\n/gm, "").replaceAll("guard.sh", "guard.sh 2026-01-01 00:00:00"),
      script.replaceAll(/^/gm, "  "),
      "Index:hooks/guard.sh\n@@ -1 +1 @@\n-exit 0\n+exit 1\n",
    ];
    for (const [at, text] of variants.entries()) files.write(`project/variant-${at}.patch`, text);
    const lines = [
      "git apply bad.patch",
      "git apply -R bad.patch",
      "git apply < bad.patch",
      "git am bad.patch",
      "cat bad.patch | git apply",
      "patch -p1 < bad.patch",
      "patch -p1 -i bad.patch",
      "patch -p1 --input=bad.patch",
      "git apply quoted.patch",
      ...variants.map((_, at) => `patch -p1 < variant-${at}.patch`),
      "git apply --directory=.claude relative.patch",
      "patch -d .claude -p1 < relative.patch",
      "git apply missing.patch",
      "curl https://example.com/x.patch | git apply",
      `git apply <<'E'\n${SETTINGS_PATCH}E`,
      `patch -p1 <<'E'\n${SETTINGS_PATCH}E`,
      `cat <<'E' | patch -p1\n${SETTINGS_PATCH}E`,
    ];
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("is asked about when the name of the file has spaces", async () => {
    const files = project({
      "hooks.yaml": HOOK.replace("bash hooks/guard.sh", "bash 'hooks/the guard.sh'"),
      "project/hooks/the guard.sh": "exit 0\n",
    });
    files.write(
      "project/bad.patch",
      SETTINGS_PATCH.replaceAll(".claude/settings.json", "hooks/the guard.sh"),
    );
    files.write("project/good.patch", SETTINGS_PATCH.replaceAll(".claude/settings.json", "hooks/guard.sh"));
    const lines = ["git apply bad.patch", "git apply good.patch"];
    expect(await askedAbout(files, lines)).toEqual(["git apply bad.patch"]);
  });

  it("is not asked about when it changes other files, or is only looked at", async () => {
    const files = guarded();
    files.write("project/good.patch", OTHER_PATCH);
    files.write("project/bad.patch", SETTINGS_PATCH);
    const lines = [
      "git apply good.patch",
      "git am good.patch",
      "patch -p1 < good.patch",
      "cat good.patch | git apply",
      "git apply --check bad.patch",
      "git apply --stat bad.patch",
      "patch --dry-run -p1 < bad.patch",
      `git apply <<'E'\n${OTHER_PATCH}E`,
      "cd /usr && git apply missing.patch",
    ];
    expect(await askedAbout(files, lines)).toEqual([]);
  });
});

describe("an archive", () => {
  it("is asked about when it may hold protected files and is unpacked where they are", async () => {
    const files = guarded();
    files.write("project/bad.tar", tar("./.claude/settings.json"));
    files.write("project/bad.tgz", gzipSync(tar("x/.tenterhook/hooks.yaml")));
    files.write("project/bad.zip", zip(".claude/settings.json"));
    files.write("project/unknown.tar.xz", "\u00FD7zXZ");
    files.write("project/good.tar", tar("src/a.ts"));
    const lines = [
      "tar xf bad.tar",
      "tar -xzf bad.tgz --strip-components=1",
      "tar xf bad.tar -C ..",
      "tar xf bad.tar .claude/settings.json",
      "unzip -o bad.zip",
      "unzip bad.zip -d .",
      "tar xf unknown.tar.xz",
      "tar xf missing.tar",
      "curl https://example.com/x.tgz | tar xz",
      "cpio -id < x.cpio",
      "7z x x.7z",
      "7z x x.7z -o.",
      "bsdtar -xf bad.tar",
      "unrar x x.rar",
      "tar xf good.tar --transform=s,src/a.ts,.claude/settings.json,",
      "tar xf good.tar --transform s,src/a.ts,.claude/settings.json, src/a.ts",
      "tar xf good.tar --xform=s,src,hooks,",
      "tar xf good.tar --trans=s,src,hooks,",
      "bsdtar -xf good.tar -s ,src/a.ts,hooks/guard.sh,",
      "tar xf good.tar --one-top-level=.claude",
      "tar xzf bad.tgz --strip-components=1 x",
      "tar xzf bad.tgz --strip-components 1 x/.tenterhook",
      "tar xf bad.tar -C /tmp -C PROJECT",
      "unzip -j bad.zip .claude/settings.json -d .claude",
      "python3 -m tarfile -e bad.tar",
      "python3 -m tarfile --extract bad.tar .",
      "python -m zipfile -e bad.zip .",
      "python3.12 -I -m zipfile -e missing.zip .",
    ].map((line) => line.replace("PROJECT", files.path("project")));
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("is not asked about when it holds other files, or is unpacked elsewhere or only listed", async () => {
    const files = guarded();
    files.write("project/good.tar", tar("src/a.ts"));
    files.write("project/good.tgz", gzipSync(tar("src/a.ts")));
    files.write("project/good.zip", zip("src/a.ts"));
    files.write("project/bad.tar", tar("./.claude/settings.json"));
    const lines = [
      "tar xf good.tar",
      "tar xzf good.tgz",
      "unzip good.zip",
      "tar tf bad.tar",
      "tar xf bad.tar -C /tmp/x",
      "tar xf bad.tar -C src",
      "tar xf bad.tar src/a.ts",
      "tar czf out.tgz src",
      "unzip -l bad.zip",
      "mkdir -p /tmp/x && cd /tmp/x && curl https://example.com/x.tgz | tar xz",
      "7z a x.7z src",
      "tar xzf good.tgz --strip-components=1",
      "tar xf good.tar --transform=s,src,lib, -C /tmp/x",
      "python3 -m tarfile -e good.tar",
      "python3 -m tarfile -l bad.tar",
      "python3 -m zipfile -c out.zip src",
      "python3 -m zipfile -e bad.zip /tmp/x",
      "python3 -m pytest -e bad.tar",
    ];
    expect(await askedAbout(files, lines)).toEqual([]);
  });
});

describe("a folder", () => {
  it("is asked about when it is copied over protected files", async () => {
    const files = guarded();
    files.write("other/.claude/settings.json", "{}");
    files.write("other/hooks/guard.sh", "");
    const lines = [
      "cp -r ../other/.claude .",
      "cp -r ../other/. .",
      "cp -rT ../other .",
      "cp -a ../other/.claude ./",
      "cp -r ../other/hooks .",
      "cp ../other/hooks/guard.sh hooks",
      "cp -t hooks ../other/hooks/guard.sh",
      "mv ../other/hooks/guard.sh hooks/",
      "mv ../other/.claude .",
      "cp -r ../missing/. .",
      "rsync -a ../other/ .",
      "rsync -a host:x/ .",
      "rsync -a --delete src/ .",
      "ditto ../other .",
      "install ../other/hooks/guard.sh hooks",
    ];
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("is asked about when protected files go, or can't be reached any more, with it", async () => {
    const files = guarded();
    const lines = [
      "mv ../project ../gone",
      "cd .. && mv project gone",
      'mv "$(pwd)" /tmp/gone',
      "mv hooks elsewhere",
      "rm -rf hooks",
      "git mv hooks elsewhere",
      "ln -sfn /tmp/evil hooks",
      "ln -sfn /tmp/evil ../project",
      "mount --bind /tmp/x .claude",
      "mount -t tmpfs tmpfs .",
      "chmod 000 .",
      "chmod -R a-r .",
      "chmod -x .claude",
      "chmod -R 600 .",
      "svn revert -R .",
      "hg update -C",
      "hg revert --all",
      "jj restore",
    ];
    expect(await askedAbout(files, lines)).toEqual(lines);
  });

  it("is not asked about when it has nothing to do with them", async () => {
    const files = guarded();
    files.write("project/dist/index.html", "");
    files.write("other/a.ts", "");
    symlinkSync(files.path("other"), files.path("project/linked"));
    const lines = [
      "cp -r ../other/. .",
      "cp -r dist/* .",
      "cp -r dist /tmp/x",
      "cp -r ../missing src",
      "rsync -a ../other/ .",
      "rsync -a dist/ host:/srv",
      "rsync -an --delete src/ .",
      "mv dist/index.html .",
      "mv dist build",
      "rm -rf dist node_modules",
      "ln -s ../other .",
      "ln -sfn ../other linked",
      "chmod -R 755 .",
      "chmod +x hooks/other.sh",
      "chmod -R go-w .",
      "chmod -R u+rwX .",
      "mount",
      "mount /dev/sdb1 /mnt",
      "hg status",
      "svn update",
    ];
    expect(await askedAbout(files, lines)).toEqual([]);
  });
});
