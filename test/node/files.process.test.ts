import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendLines } from "../../src/node/files/append.ts";
import { writeAtomically } from "../../src/node/files/atomic-write.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("writing a whole file", () => {
  /** What a file is then: its permissions and text, what is beside it, and what a link to it has become. */
  function state(folder: string) {
    const link = lstatSync(join(folder, "link.txt")).isSymbolicLink() ? "a link" : "a file";
    const texts = ["real.txt", "link.txt"].map((name) => readFileSync(join(folder, name), "utf8"));
    return [texts, link, statSync(join(folder, "link.txt")).mode & 0o777, readdirSync(folder).sort()];
  }

  function linked(): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "real.txt"), "old");
    chmodSync(join(folder, "real.txt"), 0o640);
    symlinkSync("real.txt", join(folder, "link.txt"));
    return folder;
  }

  it("of ours puts a file for this user alone in the place of whatever is there", async () => {
    const folder = linked();
    await writeAtomically(join(folder, "link.txt"), "new");
    expect(state(folder)).toEqual([["old", "new"], "a file", 0o600, ["link.txt", "real.txt"]]);
  });

  it("of the user leaves a link a link, and the file its permissions", async () => {
    const folder = linked();
    await writeAtomically(join(folder, "link.txt"), "new", { keep: true, mode: 0o644 });
    expect(state(folder)).toEqual([["new", "new"], "a link", 0o640, ["link.txt", "real.txt"]]);
  });

  it("gives a new one the permissions that are asked for, and makes its folder for this user alone", async () => {
    const folder = join(temporaryFolder(), "a");
    await writeAtomically(join(folder, "mine"), "new");
    await writeAtomically(join(folder, "theirs"), "new", { keep: true, mode: 0o644 });
    const modes = ["mine", "theirs", "."].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o644 & ~process.umask(), 0o700]);
  });

  it.each([{}, { keep: true }])(
    "leaves the old content and no other file when it fails: %j",
    async (options) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, "a"));
      writeFileSync(join(folder, "a", "inside"), "");
      await expect(writeAtomically(join(folder, "a"), "new", options)).rejects.toThrow();
      expect([readdirSync(folder), readdirSync(join(folder, "a"))]).toEqual([["a"], ["inside"]]);
    },
  );
});

describe("appending lines", () => {
  it("closes a line that was cut off before it writes", () => {
    const file = join(temporaryFolder(), "a.jsonl");
    expect(appendLines(file, ["1", "2"])).toBe(0);
    writeFileSync(file, "1\n2\nhal");
    expect(appendLines(file, ["3"])).toBe(7);
    expect(readFileSync(file, "utf8")).toBe("1\n2\nhal\n3\n");
  });

  it("writes through no link and to nothing but a plain file", () => {
    const folder = temporaryFolder();
    const target = join(folder, "target");
    writeFileSync(target, "");
    symlinkSync(target, join(folder, "link"));
    expect(() => appendLines(join(folder, "link"), ["x"])).toThrow("ELOOP");
    expect(() => appendLines("/dev/null", ["x"])).toThrow("not a plain file");
    expect(readFileSync(target, "utf8")).toBe("");
  });
});
