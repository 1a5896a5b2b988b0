import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PNG } from "../../agent/support/files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { runCli, userEnvironment } from "../support/run-cli.ts";

/** Runs a task with files of the folder, and returns what came of it with the parts of the prompt. */
async function attached(files: Readonly<Record<string, Uint8Array | string>>, ...names: readonly string[]) {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, "script.yaml"), "- text: done\n");
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  const options = names.flatMap((name) => ["--attach", name]);
  const script = ["--model", "scripted:script.yaml", "--json"];
  const run = await runCli(cwd, userEnvironment(folder), "run", "Look.", ...options, ...script);
  const lines = run.stdout.trim().split("\n");
  const items: readonly { readonly message?: { readonly parts: unknown } | string }[] = lines.map((line) =>
    JSON.parse(line),
  );
  const [message] = items.flatMap((item) => (typeof item.message === "object" ? [item.message] : []));
  return { ...run, parts: message?.parts };
}

describe("tenterhook run --attach", () => {
  test("gives the model images, documents and text files", async () => {
    const { code, parts } = await attached(
      { "a.png": Buffer.from(PNG, "base64"), "notes.md": "# Notes\n" },
      "a.png",
      "notes.md",
    );
    expect(code).toBe(0);
    expect(parts).toEqual([
      { type: "text", text: "Look." },
      { type: "file", media_type: "image/png", filename: "a.png", data: PNG },
      { type: "text", text: '<file name="notes.md">\n# Notes\n\n</file>' },
    ]);
  });

  test.each([
    ["is missing", {}, "a.png", "--attach: there is no file"],
    ["is a folder", {}, ".git", "--attach: there is no file"],
    [
      "is no text, image or document",
      { "a.bin": new Uint8Array([1, 0, 255]) },
      "a.bin",
      "a.bin is neither text",
    ],
    [
      "is too large",
      { "a.txt": "x".repeat(10_000_001) },
      "a.txt",
      "a.txt has 10000001 bytes; at most 10000000",
    ],
  ])("refuses a file that %s", async (_, files, name, message) => {
    const { code, stdout } = await attached(files, name);
    expect(code).toBe(2);
    expect(stdout).toContain(message);
  });
});
