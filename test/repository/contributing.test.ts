import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, read } from "./support/files.ts";
import { importsOf } from "./support/imports.ts";

/** Walks through the code, and how many steps and files each may take at the most. */
const WALKS = ["`hooks.fire`", "One tool call", "`tenterhook hook`"];
const MOST_STEPS = 10;
const MOST_FILES = 25;

const page = read("CONTRIBUTING.md");

/** Files of the repository that a text names in backticks: `src/core/hooks.ts`. */
function filesNamed(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|test|scripts|bench|docs|examples)\/[\w./-]+\.\w+)`/g)].map(
    ([, file = ""]) => file,
  );
}

/** The numbered steps below a heading. */
function walk(title: string): readonly string[] {
  const [, section = ""] = page.split(`### ${title}`);
  return (section.split("\n#")[0] ?? "").split(/\n(?=\d+\. )/).slice(1);
}

/** Files that others reach through a port, or as a built file, and not by an import. */
const BEHIND_PORTS = [
  "src/cli/bin.ts",
  "src/hook/daemon/serve.ts",
  "src/handlers/permissions/agent-permissions.ts",
  "src/hook/process/main.ts",
  "src/agent/transcripts/store.ts",
  "src/agent/tools/bash/bash.ts",
];

const known = new Map<string, readonly string[]>();

/** The sources that a source imports. */
function importsIn(file: string): readonly string[] {
  const imports =
    known.get(file) ??
    importsOf(read(file))
      .map(({ from }) => posix.join(posix.dirname(file), from))
      .filter((target) => existsSync(join(ROOT, target)) && target.endsWith(".ts"));
  known.set(file, imports);
  return imports;
}

test.each([
  ["CONTRIBUTING.md", 30],
  ["docs/adding-an-agent.md", 10],
])("every file that %s names is there", (name, least) => {
  const files = filesNamed(read(name));
  expect(files.length).toBeGreaterThan(least);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("every folder of src has a row in the table of CONTRIBUTING", () => {
  const rows = [...page.matchAll(/^\| `(src\/[\w-]+)\/` /gm)].map(([, folder]) => folder);
  const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  expect(rows.toSorted()).toEqual(folders.toSorted());
});

describe.each(WALKS)("the walk %s", (title) => {
  test("takes at most ten steps, each of which names a file", () => {
    const lines = walk(title);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThanOrEqual(MOST_STEPS);
    expect(lines.filter((line) => filesNamed(line).length === 0)).toEqual([]);
  });

  test("names each source after one that imports it, directly or through one file between", () => {
    const files = walk(title)
      .flatMap(filesNamed)
      .filter((file) => file.startsWith("src/"));
    const lost = files.filter((file, at) => {
      if (at === 0 || BEHIND_PORTS.includes(file)) return false;
      const near = files.slice(0, at).flatMap(importsIn);
      return !near.includes(file) && !near.flatMap(importsIn).includes(file);
    });
    expect(lost).toEqual([]);
  });

  test("names at most 25 files", () => {
    expect(walk(title).flatMap(filesNamed).length).toBeLessThanOrEqual(MOST_FILES);
  });
});
