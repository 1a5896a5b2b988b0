import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { editTool } from "../../../src/agent/tools/edit.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import { workspace } from "./support/workspace.ts";

const edit = (old_string: string, new_string: string, more = {}) => ({
  file_path: "a.txt",
  old_string,
  new_string,
  ...more,
});

describe("Edit", () => {
  it("replaces the one occurrence and says where", async () => {
    const { run, read, path } = workspace({ "a.txt": "one\ntwo\nthree\n" });
    expect(await run(editTool, edit("two", "2"))).toEqual({
      content: "Replaced in a.txt at line 2.",
      data: { file_path: path("a.txt"), replacements: 1, line: 2 },
    });
    expect(read("a.txt")).toBe("one\n2\nthree\n");
  });

  it("replaces every occurrence when asked to", async () => {
    const { outputOf, read } = workspace({ "a.txt": "x y x y x" });
    expect(await outputOf(editTool, edit("x", "xx", { replace_all: true }))).toBe(
      "Replaced in a.txt 3 times, first at line 1.",
    );
    expect(read("a.txt")).toBe("xx y xx y xx");
  });

  it.each([
    ["what is not there", edit("z", "y"), "String not found (in a.txt)"],
    [
      "what is there more than once",
      edit("x", "y"),
      "String appears 3 times, use replace_all or add context (in a.txt)",
    ],
    [
      "identical strings",
      edit("x", "x"),
      "old_string and new_string are identical; there is nothing to change.",
    ],
    [
      "an empty string",
      edit("", "y"),
      "old_string is empty; to create a file or to replace all of it, use Write.",
    ],
    [
      "half a character",
      edit("x", "\ud83d", { replace_all: true }),
      "new_string holds half of a surrogate pair, which is no character.",
    ],
    [
      "a missing file",
      { ...edit("x", "y"), file_path: "a.text" },
      'a.text does not exist. Its folder has "a.txt".',
    ],
    ["a folder", { ...edit("x", "y"), file_path: "." }, ". is a folder, not a file; use Glob to list it."],
  ])("refuses %s", async (_, input, message) => {
    const { outputOf, read } = workspace({ "a.txt": "x y x y x" });
    expect(await outputOf(editTool, input)).toBe(message);
    expect(read("a.txt")).toBe("x y x y x");
  });

  it.each([
    ["binary files", Buffer.from([1, 0, 2, 120]), "a.txt is a binary file, not text, and can't be edited."],
    ["UTF-16", Buffer.from("\ufeffx", "utf16le"), "a.txt is UTF-16 text, not text, and can't be edited."],
    [
      "other encodings",
      Buffer.from("x caf\xe9", "latin1"),
      "a.txt is not UTF-8 text and can't be edited without damage.",
    ],
  ])("refuses %s", async (_, content, message) => {
    const { outputOf, write } = workspace();
    write("a.txt", content);
    expect(await outputOf(editTool, edit("x", "y"))).toBe(message);
  });

  it("says that a file has both kinds of line endings when a text is not found", async () => {
    const { outputOf } = workspace({ "a.txt": "a\r\nb\nc\n" });
    expect(await outputOf(editTool, edit("a\nb", "A"))).toBe(
      "String not found; the file has \\n and \\r\\n, so write each as it is (in a.txt)",
    );
  });

  it("takes patterns of replacements as plain text", async () => {
    const { run, read } = workspace({ "a.txt": "a.b" });
    await run(editTool, edit(".", "$&$1$$$`$'"));
    expect(read("a.txt")).toBe("a$&$1$$$`$'b");
  });

  it.each([
    [
      "Windows line endings",
      "one\r\ntwo\r\nthree\r\n",
      edit("one\ntwo", "1\n2\n2b"),
      "1\r\n2\r\n2b\r\nthree\r\n",
    ],
    ["a new line in a line", "one\r\ntwo\r\n", edit("two", "2\n3"), "one\r\n2\r\n3\r\n"],
    ["the last line of a file", "one\r\ntwo", edit("two", "2\n3"), "one\r\n2\r\n3"],
    ["lines of both kinds", "a\r\nb\nc\r\nd\n", edit("b\nc", "B\nb\nc"), "a\r\nB\nb\nc\r\nd\n"],
    ["a break that is taken out", "a\r\nb\r\nc\r\nd", edit("a\nb", "ab"), "ab\r\nc\r\nd"],
    ["breaks meant literally", "a\r\nb\r\n", edit("\r\n", "\n", { replace_all: true }), "a\nb\n"],
    [
      "breaks of which only the old ones are written out",
      "a\r\nb\r\nc\r\n",
      edit("a\r\nb", "A\nB\nC"),
      "A\r\nB\r\nC\r\nc\r\n",
    ],
    ["breaks that are all that changes", "a\r\nb\r\n", edit("a\r\nb", "a\nb"), "a\nb\r\n"],
    ["a byte order mark", "\ufeffone\r\ntwo", edit("one\ntwo", "1\n2"), "\ufeff1\r\n2"],
    ["Unix line endings", "a\nb", edit("a\nb", "A\nB"), "A\nB"],
  ])("keeps %s", async (_, before, input, after) => {
    const { run, read } = workspace({ "a.txt": before });
    await run(editTool, input);
    expect(read("a.txt")).toBe(after);
  });

  it("keeps the mode, and a symbolic link a link", async () => {
    const { run, read, write, path } = workspace();
    chmodSync(write("real/script.sh", "echo x"), 0o751);
    symlinkSync("real/script.sh", path("a.txt"));
    await run(editTool, edit("x", "y"));
    expect(read("real/script.sh")).toBe("echo y");
    expect(statSync(path("real/script.sh")).mode & 0o7777).toBe(0o751);
    expect(lstatSync(path("a.txt")).isSymbolicLink()).toBe(true);
    expect(readdirSync(path("real"))).toEqual(["script.sh"]);
  });

  it("refuses a file that changed since it was read, until it is read again", async () => {
    const { run, outputOf, read, write } = workspace({ "a.txt": "one" });
    await run(readTool, { file_path: "a.txt" });
    write("a.txt", "one more");
    expect(await outputOf(editTool, edit("one", "two"))).toBe(
      "a.txt changed since it was read. Read it again, then repeat the change.",
    );
    await run(readTool, { file_path: "a.txt" });
    expect(await outputOf(editTool, edit("one", "two"))).toBe("Replaced in a.txt at line 1.");
    expect(await outputOf(editTool, edit("two", "three"))).toBe("Replaced in a.txt at line 1.");
    expect(read("a.txt")).toBe("three more");
  });

  it("leaves nothing behind when it is cancelled", async () => {
    const { run, read, root } = workspace({ "a.txt": "one" });
    const result = await run(editTool, edit("one", "two"), { signal: AbortSignal.abort() });
    expect(result.is_error).toBe(true);
    expect([read("a.txt"), readdirSync(root)]).toEqual(["one", ["a.txt"]]);
  });
});
