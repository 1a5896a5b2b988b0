import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { askedAbout, guarded } from "./support/guarded.ts";

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
