import { createHooks } from "tenterhook";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { bashCall } from "../support/events.ts";
import { askedAbout, guarded, HOOK } from "./support/guarded.ts";
import { hooksFile, project } from "./support/project.ts";

describe("self-protection", () => {
  it("has nothing to say about everyday work", async () => {
    const lines = [
      "cat .claude/settings.json",
      "curl --unix-socket /run/webhook.sock http://x",
      "curl --unix-socket /run/my-daemon.sock http://x",
      "ln -s ../shared/config.json config.json",
      "cp -s a b",
      "ls dist | xargs rm",
      "ls -1 dist | xargs rm",
      "find src -type f -exec sed -i s/a/b/ {} +",
      "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
      "sed -i s/a/b/ src/**/*.ts",
      "rm -rf **/node_modules",
      "grep -rl old src | xargs sed -i s/old/new/",
      "grep -rl old . --include='*.ts' | xargs sed -i s/old/new/",
      "git ls-files '*.ts' | xargs sed -i s/old/new/",
      "git ls-files | xargs wc -l",
      "awk -i inplace '{}' src/a.ts",
      "vim -c '%d' -c wq src/a.ts",
      "python3 -c \"print('a' + 'b')\"",
      "cmake -E make_directory build",
      "env -C src rm a.ts",
      "find -name '*.pyc' -delete",
      'rm -rf "$BUILD_DIR"',
      "mv src/a.ts ~+/b.ts",
      "grep -r deny .tenterhook",
      "bash hooks/guard.sh",
      "cp template.sh hooks/other.sh",
      "cp x .",
      "mv src/a.ts .",
      "npm ci",
      "npm install",
      "rm -rf node_modules dist",
      "rm *.log",
      "sed -i s/a/b/ *.ts src/*.json",
      "find . -name '*.pyc' -delete",
      "find . -name dist -type d -exec rm -rf {} +",
      "find . -name '*.ts' | xargs wc -l",
      "cat $(find . -name '*.ts')",
      "cat **/*.ts",
      "chown -R me .",
      "npx prettier --write .",
      "git checkout main",
      "git checkout .",
      "git switch main",
      "git merge main",
      "git rebase main",
      "git pull",
      "git stash",
      "git stash -u",
      "git reset --hard",
      "git apply x.patch",
      "git ls-files -z | xargs -0 sed -i s/old/new/",
      "patch -p1 < x.patch",
      "tar xf x.tar",
      "unzip x.zip",
      "rsync -a ../other/ .",
      "cp -r ../other/. .",
      "git checkout -b topic",
      "git restore src/a.ts",
      "git stash list",
      "git stash pop",
      "git stash list | head; git stash show -p",
      "git rm -r --cached .",
      "git rm src/a.ts",
      "git log --grep stash",
      "git add . && git commit -m 'stash the hooks'",
      "tenterhook list",
      "npx tenterhook explain event.json",
      "echo x > notes.md",
      'rm -rf "$BUILD/dist" "$(mktemp -d)/hooks"',
    ];
    expect(await askedAbout(guarded(), lines)).toEqual([]);
  });

  it("asks about a wildcard only where it names a file that is there", async () => {
    const line = "find . -name PreToolUse -exec rm {} +";
    expect(await askedAbout(guarded(), [line])).toEqual([]);
    const files = guarded();
    files.write("project/.cline/hooks/PreToolUse", "");
    expect(await askedAbout(files, [line, "find . -name dist -exec rm -rf {} +"])).toEqual([line]);
    const monitor = `${files.path("state/tenterhook")}/mon*/tok*`;
    expect(await askedAbout(files, [`cat ${monitor}`])).toEqual([]);
    files.write("state/tenterhook/monitor/token", "");
    expect(await askedAbout(files, [`cat ${monitor}`, "cat monitor/tok*"])).toEqual([`cat ${monitor}`]);
  });

  it("never tells the model which command would open the gate", async () => {
    const hooks = createHooks();
    const files = guarded();
    await applyConfig(hooks, await files.load());
    for (const line of ["tenterhook trust --yes", "rm -rf .claude"]) {
      const { reason } = await hooks.fire(bashCall(line, { cwd: files.path("project") }));
      expect(reason).not.toMatch(/tenterhook \w+|self_protection|--yes/);
    }
  });

  it("is on for permissions too, and off where there is nothing to protect", async () => {
    const permissions = project({ "hooks.yaml": 'permissions: { deny: ["Bash(curl:*)"] }' });
    expect((await permissions.load()).guards.map(({ name }) => name)).toEqual(["tenterhook:self-protection"]);
    expect((await project().load()).guards).toEqual([]);
  });

  it("is turned off by the user's own file only", async () => {
    const off = "self_protection: { enabled: false }\n";
    const byUser = project({ "hooks.json": hooksFile("a"), "user/tenterhook/hooks.yaml": off });
    expect((await byUser.load()).guards).toEqual([]);
    const byProject = project({ "hooks.yaml": `${off}${HOOK}`, "project/hooks/guard.sh": "" });
    const { guards, warnings } = await byProject.load();
    expect(guards).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      "self_protection.enabled is ignored: only the user's own file can turn it off.",
    ]);
    expect(await askedAbout(byProject, ["rm -rf .tenterhook"])).toHaveLength(1);
  });

  it("can't be disabled by name", async () => {
    const files = project({
      "hooks.yaml": `${HOOK.slice(0, -2)}, disabled: ["tenterhook:self-protection"] }`,
    });
    expect((await files.load()).guards.map(({ enabled }) => enabled)).toEqual([true]);
  });
});
