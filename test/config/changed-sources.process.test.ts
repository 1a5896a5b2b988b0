import { describe, expect, it } from "vitest";
import { askedAbout, guarded } from "./support/guarded.ts";
import type { Project } from "./support/project.ts";
import { OTHER_PATCH, tar } from "./support/sources.ts";

describe("a source that the line itself changes", () => {
  function sources(): Project {
    const files = guarded();
    files.write("project/good.tar", tar("src/a.ts"));
    files.write("project/good.patch", OTHER_PATCH);
    files.write("project/in/good.tar", tar("src/a.ts"));
    files.write("project/dist/index.html", "");
    files.write("other/a.ts", "");
    return files;
  }

  it("is asked about", async () => {
    const lines = [
      "mv ../plain.tar good.tar && tar xf good.tar",
      "cp ../x/good.tar . && tar xf good.tar",
      "mv ../x in && tar xf in/good.tar",
      "cp ../p.patch good.patch && patch -p1 < good.patch",
      "cat ../p.patch > good.patch; git apply good.patch",
      "curl -o good.tar https://example.com/x.tar && tar xf good.tar",
      "ln -sf ../plain.tar ./good.tar && tar xf ./good.tar",
      "mkdir -p x/.claude && echo '{}' > x/.claude/settings.json && cp -r x/. .",
      "cp -r ../y dist/hooks && cp -r dist/. .",
      "cp -r ../y dist && cp -r dist/y/. .",
    ];
    expect(await askedAbout(sources(), lines)).toEqual(lines);
  });

  it("is not asked about when what changes is something else", async () => {
    const lines = [
      "tar xf good.tar && rm good.tar",
      "echo x > notes.txt && tar xf good.tar",
      "mkdir -p in && tar xf good.tar",
      "mkdir -p dist && cp -r dist/. .",
      "echo x > dist/new.html && cp -r dist/. .",
      "mv notes.txt old.txt && git apply good.patch",
      "cp ../other/a.ts . && git apply good.patch",
      "mv ../plain.tar good.tar && tar xf good.tar -C /tmp/x",
    ];
    expect(await askedAbout(sources(), lines)).toEqual([]);
  });

  it("is asked about in a long line, which is not compared path by path", async () => {
    const many = Array.from({ length: 70 }, (_, at) => `touch a${at}`).join("; ");
    const lines = [`${many}; tar xf good.tar`];
    expect(await askedAbout(sources(), lines)).toEqual(lines);
  });
});
