import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowReading } from "../../../src/agent/tools/files/workspace.ts";
import { grepTool } from "../../../src/agent/tools/grep.ts";
import { runs } from "../../support/long.ts";
import { workspace } from "./support/workspace.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven two\n",
  "src/b.ts": "const Two = 2;\r\nlet x;\r\n",
  "node_modules/c.txt": "two\n",
};

describe("Grep", () => {
  it("leaves out what may not be read", async () => {
    const { outputOf, path } = workspace(FILES);
    const hides = (file: string) => file === path("a.txt");
    expect(await outputOf(grepTool, { pattern: "two|Two" }, { hides })).toBe("src/b.ts");
  });

  it.each([
    ["names files", { pattern: "two" }, "a.txt"],
    ["does not mind case", { pattern: "two", "-i": true, glob: "*.ts" }, "src/b.ts"],
    ["counts lines", { pattern: "o", output_mode: "count" }, "a.txt:4\nsrc/b.ts:1"],
    ["shows lines", { pattern: "^t", output_mode: "content" }, "a.txt:2:two\na.txt:3:three"],
    [
      "without numbers",
      { pattern: "^const", output_mode: "content", "-n": false },
      "src/b.ts:const Two = 2;",
    ],
    [
      "with lines around",
      { pattern: "two", output_mode: "content", "-C": 1 },
      "a.txt-1-one\na.txt:2:two\na.txt-3-three\n--\na.txt-6-six\na.txt:7:seven two",
    ],
    [
      "with lines before",
      { pattern: "six|five", output_mode: "content", "-B": 1 },
      "a.txt-4-four\na.txt:5:five\na.txt:6:six",
    ],
    [
      "with lines after",
      { pattern: "six", output_mode: "content", "-A": 3 },
      "a.txt:6:six\na.txt-7-seven two",
    ],
    ["in one file", { pattern: "let", path: "src/b.ts", output_mode: "content" }, "src/b.ts:2:let x;"],
    ["at line ends of Windows files", { pattern: "x;$", output_mode: "content" }, "src/b.ts:2:let x;"],
    ["in a folder that is seldom meant", { pattern: "two", path: "node_modules" }, "node_modules/c.txt"],
    ["finds nothing", { pattern: "zzz" }, "No matches found."],
    [
      "cuts",
      { pattern: ".", output_mode: "content", head_limit: 2 },
      "a.txt:1:one\na.txt:2:two\n\n(more matches; narrow the search or raise head_limit)",
    ],
  ])("%s", async (_, input, shown) => {
    const { outputOf } = workspace(FILES);
    expect(await outputOf(grepTool, input)).toBe(shown);
  });

  it("names the file changed last first", async () => {
    const { run, path } = workspace({ "a.txt": "x", "b.txt": "x", "c.txt": "x" });
    utimesSync(path("a.txt"), 10, 10);
    utimesSync(path("b.txt"), 30, 30);
    utimesSync(path("c.txt"), 30, 30);
    expect(await run(grepTool, { pattern: "x", head_limit: 2 })).toEqual({
      content: "b.txt\nc.txt\n\n(1 more; narrow the search or raise head_limit)",
    });
  });

  it("passes over binary files and links, and says why it can't search", async () => {
    const { outputOf, write, path, outside } = workspace();
    write("binary", Buffer.from("x\0x"));
    writeFileSync(join(outside, "secret"), "x");
    symlinkSync(join(outside, "secret"), path("link"));
    symlinkSync(outside, path("folder"));
    expect(await outputOf(grepTool, { pattern: "x" })).toBe("No matches found.");
    for (const place of ["link", "folder", "..", "folder/secret"]) {
      expect(await outputOf(grepTool, { pattern: "x", path: place })).toContain("outside the workspace");
    }
    expect(await outputOf(grepTool, { pattern: "x", path: "binari" })).toBe(
      'binari does not exist. Its folder has "binary".',
    );
    expect(await outputOf(grepTool, { pattern: "(?=x)" })).toContain("uses lookaround");
    expect(await outputOf(grepTool, { pattern: "(" })).toContain("can't be compiled");
  });

  it("searches an output file that was made for the agent", async () => {
    const { outputOf, outside, context } = workspace();
    const file = join(outside, "output.txt");
    writeFileSync(file, "a\nb\n");
    allowReading(file, context);
    expect(await outputOf(grepTool, { pattern: "b", path: file, output_mode: "content" })).toContain(":2:b");
  });

  it("ends when it is cancelled, also in the middle of a search", async () => {
    const { write, context } = workspace();
    for (let number = 0; number < 50; number += 1) write(`f${number}`, "x\n".repeat(50_000));
    const controller = new AbortController();
    const call = grepTool.run({ pattern: "y" }, { ...context, signal: controller.signal });
    setImmediate(() => controller.abort(new Error("interrupted")));
    await expect(call).rejects.toThrow("interrupted");
  });

  it("takes linear time for patterns that make others hang, and long lines", async () => {
    const { outputOf } = workspace({ "a.txt": `${"a".repeat(200_000)}!\n` });
    expect(await outputOf(grepTool, { pattern: "^(a+)+$" })).toBe("No matches found.");
    expect(await outputOf(grepTool, { pattern: "a!$", output_mode: "content" })).toBe(
      `a.txt:1:${"a".repeat(500)}…`,
    );
  });

  it("finds the lines a plain search finds, wherever pieces of the file end", async () => {
    const { outputOf, write } = workspace();
    const line = fc
      .array(fc.constantFrom("é", "a", "日本", "😀", "x", " "), { maxLength: 30 })
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 400 }),
        async (lines, times) => {
          const all = Array.from({ length: times }, () => lines).flat();
          write("a.txt", `${all.join("\n")}\n`);
          const count = all.filter((text) => /😀a|x/u.test(text)).length;
          const said_count = await outputOf(grepTool, { pattern: "😀a|x", output_mode: "count" });
          expect(said_count).toBe(count === 0 ? "No matches found." : `a.txt:${count}`);
        },
      ),
      { numRuns: runs(15) },
    );
  });
});
