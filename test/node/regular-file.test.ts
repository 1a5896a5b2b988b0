import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRegularFile, regularText } from "../../src/node/files/regular-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a regular file is read up to its limit, also behind a link", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), "four");
  symlinkSync("a", join(folder, "b"));
  expect(readRegularFile(join(folder, "b"), 4).toString()).toBe("four");
  expect(() => readRegularFile(join(folder, "a"), 3)).toThrow("it has 4 bytes, more than 3");
});

test("nothing else is read: folders, devices, files that the system makes up", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "d"));
  symlinkSync("/dev/zero", join(folder, "zero"));
  expect(["d", "zero", "missing"].map((name) => regularText(join(folder, name), 100))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  // Its size says that it is empty.
  expect(regularText("/proc/self/environ", 100_000) ?? "").toBe("");
});
