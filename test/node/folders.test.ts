import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolders } from "../../src/node/files/folders.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("missing folders are made for this user alone, and those that are there are left", () => {
  const folder = join(newFolder(), "a/b");
  makeFolders(folder);
  makeFolders(folder);
  expect([folder, join(folder, "..")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

it("a file on the way, and a file system that takes no folder, are errors at once", () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolders(file)).toThrow("EEXIST");
  expect(() => makeFolders(join(file, "a/b"))).toThrow();
  expect(() => makeFolders("/proc/none/a/b")).toThrow();
});
