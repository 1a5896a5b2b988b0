import { expect, test } from "vitest";
import { filesBelow, read } from "./support/files.ts";
import { crowdedFolders, rings } from "./support/shape.ts";

const sources = new Map(filesBelow("src", /\.tsx?$/).map((file) => [file, read(file)]));

test("no source imports itself through others, not even for a type", () => {
  expect(sources.size).toBeGreaterThan(300);
  expect(rings(sources)).toEqual([]);
});

test("no folder of the sources has more than 24 files directly in it", () => {
  expect(crowdedFolders(sources)).toEqual([]);
});

/** Sources of which only the imports matter. */
function importing(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files));
}

test("a planted ring is found, also one of type imports and of a dynamic import", () => {
  const planted = importing({
    "src/core/a.ts": 'import type { B } from "./base/b.ts";',
    "src/core/base/b.ts": 'export * from "../c.ts";',
    "src/core/c.ts": 'const a = await import("./a.ts"); import { d } from "./d.ts";',
    "src/core/d.ts": 'import { e } from "./e.ts";',
    "src/core/e.ts": "",
  });
  expect(rings(planted)).toEqual([
    "These files import each other in a ring: src/core/a.ts, src/core/base/b.ts, src/core/c.ts.",
  ]);
});

test("a file that imports itself is a ring, and two rings are two", () => {
  const planted = importing({
    "src/a.ts": 'import { a } from "./a.ts";',
    "src/b.ts": 'import { c } from "./c.ts";',
    "src/c.ts": 'import { b } from "./b.ts"; import { a } from "./a.ts";',
  });
  expect(rings(planted)).toEqual([
    "These files import each other in a ring: src/a.ts.",
    "These files import each other in a ring: src/b.ts, src/c.ts.",
  ]);
});

test("files that share what they import are no ring", () => {
  const planted = importing({
    "src/a.ts": 'import { b } from "./b.ts"; import { c } from "./c.ts";',
    "src/b.ts": 'import { c } from "./c.ts";',
    "src/c.ts": 'import { join } from "node:path";',
  });
  expect(rings(planted)).toEqual([]);
});

test("a folder with one file too many is found, whatever its subfolders hold", () => {
  const inFolder = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => [`${folder}/${index}.ts`, ""]);
  const planted = new Map([...inFolder("src/core", 25), ...inFolder("src/core/base", 24)]);
  expect(crowdedFolders(planted)).toEqual(["src/core has 25 files; 24 are the most. Give it rooms."]);
});
