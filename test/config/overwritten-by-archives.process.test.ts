import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { askedAbout, guarded } from "./support/guarded.ts";
import { tar, zip } from "./support/sources.ts";

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
