import { chmodSync, readdirSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTool } from "../../../src/agent/tools/read.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { workspace } from "./support/workspace.ts";

describe("Write", () => {
  it("creates a file with the folders it needs, and replaces it", async () => {
    const { run, read, path, root } = workspace();
    expect(await run(writeTool, { file_path: "x/y/a.txt", content: "é\n" })).toEqual({
      content: "Created x/y/a.txt (3 bytes).",
      data: { file_path: path("x/y/a.txt"), type: "create", bytes: 3 },
    });
    expect(await run(writeTool, { file_path: "x/y/a.txt", content: "" })).toEqual({
      content: "Replaced x/y/a.txt (0 bytes).",
      data: { file_path: path("x/y/a.txt"), type: "update", bytes: 0 },
    });
    expect([read("x/y/a.txt"), readdirSync(path("x/y")), readdirSync(root)]).toEqual(["", ["a.txt"], ["x"]]);
  });

  it("gives a new file the usual mode and keeps that of an old one", async () => {
    const { run, path, write } = workspace();
    chmodSync(write("old", ""), 0o600);
    for (const file_path of ["old", "new"]) await run(writeTool, { file_path, content: "x" });
    const usual = 0o666 & ~process.umask();
    expect(["old", "new"].map((file) => statSync(path(file)).mode & 0o7777)).toEqual([0o600, usual]);
  });

  it("refuses a file that changed since it was read, and takes one that was removed", async () => {
    const { run, outputOf, read, write } = workspace({ "a.txt": "one" });
    await run(readTool, { file_path: "a.txt" });
    write("a.txt", "two");
    expect(await outputOf(writeTool, { file_path: "a.txt", content: "three" })).toBe(
      "a.txt changed since it was read. Read it again, then repeat the change.",
    );
    expect(read("a.txt")).toBe("two");
    await run(readTool, { file_path: "a.txt" });
    expect(await outputOf(writeTool, { file_path: "a.txt", content: "three" })).toBe(
      "Replaced a.txt (5 bytes).",
    );
    expect(await outputOf(writeTool, { file_path: "a.txt", content: "four" })).toBe(
      "Replaced a.txt (4 bytes).",
    );
  });

  it("refuses folders, files in the way, and half characters", async () => {
    const { outputOf, write } = workspace();
    write("dir/file", "x");
    expect(await outputOf(writeTool, { file_path: "dir", content: "" })).toBe(
      "dir is a folder, not a file; use Glob to list it.",
    );
    expect(await outputOf(writeTool, { file_path: "dir/file/x", content: "" })).toBe(
      "dir/file/x can't be reached: a part of the path is a file, not a folder.",
    );
    expect(await outputOf(writeTool, { file_path: "a", content: "\udc00" })).toBe(
      "content holds half of a surrogate pair, which is no character.",
    );
  });

  it("is refused at once where no folder can be made", async () => {
    const { run } = workspace({}, { cwd: "/", workspace: ["/"] });
    expect(await run(writeTool, { file_path: "/proc/none/a.txt", content: "x" })).toEqual({
      content: "The folder of /proc/none/a.txt can't be made (ENOENT).",
      is_error: true,
    });
  });
});
