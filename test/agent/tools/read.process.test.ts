import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readTool } from "../../../src/agent/tools/read.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { workspace } from "./support/workspace.ts";

const read = (more = {}) => ({ file_path: "a.txt", ...more });

describe("Read", () => {
  it("Read numbers lines like cat -n", async () => {
    const { run, path } = workspace({ "a.txt": "one\n\n\ttwo\nlast" });
    const result = await run(readTool, read());
    expect(result).toEqual({
      content: "     1\tone\n     2\t\n     3\t\ttwo\n     4\tlast",
    });
    expect(result.content).toBe(execFileSync("cat", ["-n", path("a.txt")], { encoding: "utf8" }));
  });

  it.each([
    [
      "a part of it",
      "1\n2\n3\n4\n",
      { offset: 2, limit: 2 },
      "     2\t2\n     3\t3\n\n(2 lines of 4; go on with offset 4)",
    ],
    ["its end", "1\n2\n3\n", { offset: 3, limit: 5 }, "     3\t3"],
    ["nothing behind its end", "1\n2\n", { offset: 3 }, "(a.txt has 2 lines; there is no line 3)"],
    ["that it is empty", "", {}, "(a.txt is empty)"],
    ["a line break alone", "\n", {}, "     1\t"],
    ["Windows lines without their carriage return", "\ufeffa\r\nb\r\n", {}, "     1\ta\n     2\tb"],
  ])("shows %s", async (_, content, more, shown) => {
    const { outputOf } = workspace({ "a.txt": content });
    expect(await outputOf(readTool, read(more))).toBe(shown);
  });

  it("cuts long lines between characters", async () => {
    const { outputOf } = workspace({ "a.txt": `${"😀".repeat(2001)}\nshort` });
    expect(await outputOf(readTool, read())).toBe(
      `     1\t${"😀".repeat(2000)}… [cut: the line has 2001 characters]\n     2\tshort`,
    );
  });

  it("cuts long files and says where to go on", async () => {
    const { outputOf } = workspace({ "a.txt": `${"x".repeat(900)}\n`.repeat(1000) });
    const text = await outputOf(readTool, read());
    expect(text.length).toBeLessThan(101_000);
    expect(text).toMatch(/\n\n\(110 lines of 1000; go on with offset 111\)$/);
    expect(await outputOf(readTool, read({ offset: 111, limit: 1 }))).toContain(`   111\t${"x".repeat(900)}`);
  });

  it("reads a part of a file too big to be read whole", async () => {
    const { outputOf, write } = workspace();
    write("a.txt", Buffer.alloc(17 * 1024 * 1024, "a line of text\n"));
    expect(await outputOf(readTool, read({ offset: 2, limit: 1 }))).toBe(
      "     2\ta line of text\n\n(1 lines of many; go on with offset 3)",
    );
  });

  it.each([
    ["image/png", "\x89PNG\r\n\x1a\n\0\0"],
    ["image/jpeg", "\xff\xd8\xff\xe0\0"],
    ["image/gif", "GIF89a\0"],
    ["image/webp", "RIFF\0\0\0\0WEBPVP8 "],
    ["application/pdf", "%PDF-1.7\n"],
  ])("shows %s as it is, whatever its name", async (media_type, start) => {
    const { write, context } = workspace();
    const bytes = Buffer.from(start, "latin1");
    write("shots/a.txt", bytes);
    expect(await readTool.run({ file_path: "shots/a.txt" }, context)).toEqual({
      content: [{ type: "file", media_type, filename: "a.txt", data: bytes }],
    });
  });

  it("says that an image is too large to be shown", async () => {
    const { outputOf, write } = workspace();
    write("a.txt", Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(3_750_000)]));
    expect(await outputOf(readTool, read())).toBe(
      "a.txt is a PNG image of 3750008 bytes; at most 3750000 are shown. Make a smaller one.",
    );
  });

  it("an image that was read can be replaced", async () => {
    const { run, write } = workspace();
    write("a.txt", Buffer.from("GIF89a\0", "latin1"));
    await run(readTool, read());
    expect(await run(writeTool, { file_path: "a.txt", content: "text" })).not.toHaveProperty("is_error");
  });

  it("says what is there when it is no text", async () => {
    const { outputOf, write, path } = workspace({ "notes.md": "" });
    execFileSync("sh", ["-c", 'mkfifo "$0"', path("pipe")]);
    write("a.txt", Buffer.from([65, 0, 66]));
    expect(await outputOf(readTool, read())).toBe(
      "a.txt is a binary file of 3 bytes; Read shows text, images and PDF documents only.",
    );
    expect(await outputOf(readTool, { file_path: "pipe" })).toBe("pipe is a device or a pipe, not a file.");
    expect(await outputOf(readTool, { file_path: "." })).toBe(
      ". is a folder, not a file; use Glob to list it.",
    );
    expect(await outputOf(readTool, { file_path: "note.md" })).toBe(
      'note.md does not exist. Its folder has "notes.md".',
    );
    expect(await outputOf(readTool, { file_path: "notes.txt" })).toBe(
      'notes.txt does not exist. Its folder has "notes.md".',
    );
    expect(await outputOf(readTool, { file_path: "x/y" })).toBe(
      "x/y does not exist; neither does its folder.",
    );
    expect(await outputOf(readTool, { file_path: "a.txt/b" })).toBe(
      "a.txt/b can't be reached: a part of the path is a file, not a folder.",
    );
  });

  it("shows text of another encoding as well as it can", async () => {
    const { outputOf, write } = workspace();
    write("a.txt", Buffer.from("caf\xe9", "latin1"));
    expect(await outputOf(readTool, read())).toBe(
      "     1\tcaf\ufffd\n\n(bytes that are not UTF-8 are shown as \ufffd)",
    );
  });
});
