import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, read } from "./support/files.ts";

const page = read("CONTRIBUTING.md");

/** Files of the repository that a text names in backticks: `src/core/hooks.ts`. */
function filesNamed(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|test|scripts|bench|docs|examples)\/[\w./-]+\.\w+)`/g)].map(
    ([, file = ""]) => file,
  );
}

test.each([
  ["AGENTS.md", 0],
  ["CONTRIBUTING.md", 30],
  ["docs/contributing/adding-an-agent.md", 10],
  ["docs/contributing/walks.md", 30],
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

test.each(["docs/contributing/walks.md", "docs/contributing/adding-an-agent.md"])(
  "every function that %s names is in its file",
  (page) => {
    const named = [...read(page).matchAll(/`(\w+)` in `(src\/[\w./-]+\.\w+)`/g)];
    const gone = named.filter(([, name = "", file = ""]) => !read(file).includes(name));
    expect(gone.map(([text]) => text)).toEqual([]);
  },
);
