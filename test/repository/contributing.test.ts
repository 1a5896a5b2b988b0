import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, read } from "./support/files.ts";

/** Walks through the code, and how many lines and files each may take at the most. */
const WALKS = ["`hooks.fire`", "One tool call", "`tenterhook hook`"];
const MOST_LINES = 10;
const MOST_HOPS = 25;

const page = read("CONTRIBUTING.md");

/** Files of the repository that a text names in backticks: `src/core/hooks.ts`. */
function filesNamed(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|test|scripts|bench|docs|examples)\/[\w./-]+\.\w+)`/g)].map(
    ([, file = ""]) => file,
  );
}

/** The numbered lines below a heading. */
function walk(title: string): readonly string[] {
  const [, section = ""] = page.split(`### ${title}`);
  return (section.split("\n#")[0] ?? "").split("\n").filter((line) => /^\d+\. /.test(line));
}

test("every file that CONTRIBUTING names is there", () => {
  const files = filesNamed(page);
  expect(files.length).toBeGreaterThan(30);
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
  test("takes at most ten lines, each of which names a file", () => {
    const lines = walk(title);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
    expect(lines.filter((line) => filesNamed(line).length === 0)).toEqual([]);
  });

  test("takes about 25 hops from file to file", () => {
    expect(walk(title).flatMap(filesNamed).length).toBeLessThanOrEqual(MOST_HOPS);
  });
});
