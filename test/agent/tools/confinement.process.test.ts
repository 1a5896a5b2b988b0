import { linkSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editTool } from "../../../src/agent/tools/edit.ts";
import { openFile } from "../../../src/agent/tools/files/open-file.ts";
import { placeInWorkspace } from "../../../src/agent/tools/files/workspace.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { type Workspace, workspace } from "./support/workspace.ts";

/** A workspace with a secret beside it and links that lead there. */
function withSecret(): Workspace {
  const made = workspace({ "in.txt": "inside", "deep/in.txt": "inside" });
  mkdirSync(join(made.outside, "other"));
  writeFileSync(join(made.outside, "other/secret"), "secret");
  writeFileSync(join(made.outside, "work-secret"), "secret");
  symlinkSync("../other/secret", made.path("link"));
  symlinkSync(join(made.outside, "other"), made.path("folder"));
  symlinkSync("../other/new", made.path("dangling"));
  symlinkSync("chain2", made.path("chain"));
  symlinkSync("folder/../other/secret", made.path("chain2"));
  symlinkSync("deep", made.path("inner"));
  return made;
}

describe("files outside the workspace are neither read nor written", () => {
  it.each([
    "../other/secret",
    "../work-secret",
    "link",
    "folder/secret",
    "folder/new",
    "folder/new/deep/file",
    "dangling",
    "chain",
    "deep/../../other/secret",
    "inner/../../other/secret",
    "missing/../../other/secret",
    "missing/../folder/secret",
    "missing/../link",
    "/etc/passwd",
    "~/secret",
    "~",
    "..",
  ])("%s", async (file_path) => {
    const { outputOf, outside } = withSecret();
    const refused = /outside the workspace \(<outside>\/work\)\.$/;
    expect(await outputOf(readTool, { file_path })).toMatch(refused);
    expect(await outputOf(writeTool, { file_path, content: "x" })).toMatch(refused);
    expect(await outputOf(editTool, { file_path, old_string: "s", new_string: "x" })).toMatch(refused);
    expect(readdirSync(join(outside, "other"))).toEqual(["secret"]);
  });

  it("and the message says where the path leads", async () => {
    const { outputOf } = withSecret();
    expect(await outputOf(readTool, { file_path: "link" })).toBe(
      "link leads to <outside>/other/secret, which is outside the workspace (<outside>/work).",
    );
    expect(await outputOf(readTool, { file_path: "/etc/passwd" })).toBe(
      "/etc/passwd is outside the workspace (<outside>/work).",
    );
    expect(await outputOf(readTool, { file_path: "a\0b" })).toBe("A path can't hold a NUL character.");
  });
});

it("links in a circle lead nowhere", async () => {
  const { outputOf, path } = workspace();
  symlinkSync("b", path("a"));
  symlinkSync("a", path("b"));
  expect(await outputOf(readTool, { file_path: "a" })).toMatch(/too many symbolic links|leads in a circle/);
  expect(await outputOf(writeTool, { file_path: "a/x", content: "" })).toMatch(/symbolic link/);
  expect(readdirSync(path(""))).toEqual(["a", "b"]);
});

it("files inside are reached however they are spelt", async () => {
  const { outputOf, root } = withSecret();
  for (const file_path of [
    "in.txt",
    "./deep/../in.txt",
    join(root, "in.txt"),
    "inner/in.txt",
    "inner/../in.txt",
    "missing/../inner/in.txt",
  ]) {
    expect(await outputOf(readTool, { file_path })).toBe("     1\tinside");
  }
});

it("further folders can be allowed, and the workspace itself may be reached through a link", async () => {
  const { outputOf, outside } = withSecret();
  const other = join(outside, "other");
  expect(await outputOf(readTool, { file_path: "link" }, { workspace: [other] })).toBe("     1\tsecret");
  symlinkSync(other, join(outside, "alias"));
  const context = { cwd: join(outside, "alias"), workspace: [join(outside, "alias")] };
  expect(await outputOf(readTool, { file_path: "secret" }, context)).toBe("     1\tsecret");
  expect(await outputOf(readTool, { file_path: "~/x" }, { workspace: [homedir()] })).toMatch(
    /does not exist/,
  );
});

describe("what changes between the look and the opening is noticed", () => {
  it("when the file became a link", async () => {
    const { context, path } = withSecret();
    const place = placeInWorkspace("in.txt", context);
    renameSync(path("link"), path("in.txt"));
    await expect(openFile(place, context)).rejects.toThrow(
      /^in\.txt is a symbolic link that leads in a circle, or became a link/,
    );
  });
});

console.log("started");

it("a second name of a file is a file of its own after an edit", async () => {
  const { outputOf, read, path } = workspace({ "a.txt": "one" });
  linkSync(path("a.txt"), path("b.txt"));
  await outputOf(editTool, { file_path: "a.txt", old_string: "one", new_string: "two" });
  expect([read("a.txt"), read("b.txt")]).toEqual(["two", "one"]);
});
