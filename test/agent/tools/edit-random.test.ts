import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editTool } from "../../../src/agent/tools/edit.ts";
import { replaceFile } from "../../../src/agent/tools/files/replace-file.ts";
import { replaceText } from "../../../src/agent/tools/files/replace-text.ts";
import { readTool } from "../../../src/agent/tools/read.ts";
import { runs } from "../../support/long.ts";
import { workspace } from "./support/workspace.ts";

/** Pieces that edits get wrong: patterns of replacements, characters of several bytes, repeated and empty lines. */
const piece = fc.constantFrom(
  "a",
  "b",
  "ab",
  "$&",
  "$1",
  "$$",
  "$`",
  "é",
  "日本",
  "😀",
  "👨‍👩‍👧",
  " ",
  "\t",
  "\\n",
  "\n",
  "\n\n",
);
const words = (most: number) => fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(""));
const lineEnding = fc.constantFrom("\n", "\r\n");
const mark = fc.constantFrom("", "\ufeff");

/** A file and an old text that is often in it. */
const edited = fc
  .record({
    text: words(30),
    from: fc.nat(20),
    length: fc.integer({ min: 1, max: 8 }),
    other: words(3),
    next: words(5),
  })
  .map(({ text, from, length, other, next }) => {
    const characters = [...text];
    const cut = characters.slice(from, from + length).join("");
    return { text, old: cut === "" ? other || "a" : cut, next };
  })
  .filter(({ old, next }) => old !== next);

/** What an edit must come to, in the plainest way. */
function model(text: string, old: string, next: string, all: boolean): string {
  const parts = text.split(old);
  if (parts.length === 1) return "String not found";
  if (parts.length > 2 && !all)
    return `String appears ${parts.length - 1} times, use replace_all or add context`;
  return parts.join(next);
}

/** A file of one line has no line ending to keep. */
function withEnding(expected: string, text: string, ending: string): string {
  return text.includes("\n") ? expected.replaceAll("\n", ending) : expected;
}

function replaced(text: string, old_string: string, new_string: string, replace_all: boolean): string {
  try {
    return replaceText(text, { old_string, new_string, replace_all }).text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the text after an edit", () => {
  it("is that of split and join, in files of either line ending", () => {
    fc.assert(
      fc.property(edited, fc.boolean(), lineEnding, ({ text, old, next }, all, ending) => {
        const expected = model(text, old, next, all);
        const file = text.replaceAll("\n", ending);
        expect(replaced(file, old, next, all)).toBe(withEnding(expected, text, ending));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("the file after an edit", () => {
  it("holds what the model says, with its byte order mark", async () => {
    const { run, write, path } = workspace();
    await fc.assert(
      fc.asyncProperty(
        edited,
        fc.boolean(),
        lineEnding,
        mark,
        async ({ text, old, next }, all, ending, bom) => {
          const before = bom + text.replaceAll("\n", ending);
          write("a.txt", before);
          const input = { file_path: "a.txt", old_string: old, new_string: next, replace_all: all };
          const result = await run(editTool, input, { memory: new Map() });
          const expected = model(text, old, next, all);
          const after = readFileSync(path("a.txt"), "utf8");
          if (result.is_error) {
            expect(result.content).toBe(`${expected} (in a.txt)`);
            expect(after).toBe(before);
          } else expect(after).toBe(bom + withEnding(expected, text, ending));
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe("edits of one file at the same time lose nothing", () => {
  it("in one process", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 20 }), fc.boolean(), async (count, linked) => {
        const numbers = Array.from({ length: count }, (_, index) => index);
        const { run, read, write } = workspace();
        write("a.txt", numbers.map((number) => `<${number}>`).join("\r\n"));
        const results = await Promise.all(
          numbers.map((number) =>
            run(editTool, {
              file_path: linked && number % 2 === 0 ? "./x/../a.txt" : "a.txt",
              old_string: `<${number}>`,
              new_string: `[${number}]`,
            }),
          ),
        );
        expect(results.filter((result) => result.is_error)).toEqual([]);
        expect(read("a.txt")).toBe(numbers.map((number) => `[${number}]`).join("\r\n"));
      }),
      { numRuns: runs(8) },
    );
  });

  it("of agents that read it before: the later one is told", async () => {
    const { run, read, write } = workspace();
    write("a.txt", "a b");
    const memories = [new Map<string, unknown>(), new Map<string, unknown>()];
    for (const memory of memories) await run(readTool, { file_path: "a.txt" }, { memory });
    const results = await Promise.all(
      memories.map((memory, index) =>
        run(editTool, { file_path: "a.txt", old_string: "ab"[index], new_string: "x" }, { memory }),
      ),
    );
    expect(results.map((result) => result.is_error ?? false)).toEqual([false, true]);
    expect(read("a.txt")).toBe("x b");
  });

  it("beside another process: what it wrote in between is found before it is replaced", async () => {
    const { context, read, write, path } = workspace();
    const file = write("a.txt", "one");
    const before = { bytes: Buffer.from("one"), stats: statSync(file) };
    const place = { written: "a.txt", real: path("a.txt") };
    const replace = () => replaceFile(place, Buffer.from("mine"), before, context);
    const message = "a.txt was changed by someone else just now. Read it again, then repeat the change.";
    write("a.txt", "two");
    await expect(replace()).rejects.toThrow(message);
    expect([read("a.txt"), readdirSync(context.cwd)]).toEqual(["two", ["a.txt"]]);
    rmSync(file);
    await expect(replace()).rejects.toThrow(message);
    write("a.txt", "one");
    await replace();
    expect(read("a.txt")).toBe("mine");
  });
});
