import { expect, test } from "vitest";
import { filesBelow, read } from "./support/files.ts";
import { crowdedFolders, folderRings, rings } from "./support/shape.ts";

const sources = new Map(filesBelow("src", /\.tsx?$/).map((file) => [file, read(file)]));

test("no source imports itself through others, not even for a type", () => {
  expect(sources.size).toBeGreaterThan(300);
  expect(rings(sources)).toEqual([]);
});

test("no folder of the sources has more than 24 files directly in it", () => {
  expect(crowdedFolders(sources)).toEqual([]);
});

test("no folders beside each other import each other", () => {
  expect(folderRings(sources).map(({ problem }) => problem)).toEqual([]);
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

test("two planted folders that import each other are found, with the files of both directions", () => {
  const planted = importing({
    "src/agent/run/a.ts": 'import type { B } from "../model/deep/b.ts";',
    "src/agent/run/z.ts": 'import { b } from "../model/deep/b.ts";',
    "src/agent/model/c.ts": 'const { a } = await import("../run/calls/d.ts");',
    "src/agent/model/deep/b.ts": "",
    "src/agent/run/calls/d.ts": "",
  });
  expect(folderRings(planted)).toEqual([
    {
      folders: ["src/agent/model", "src/agent/run"],
      problem:
        "These folders import each other: src/agent/model, src/agent/run. " +
        "src/agent/model/c.ts imports src/agent/run/calls/d.ts; src/agent/run/a.ts imports src/agent/model/deep/b.ts.",
    },
  ]);
});

test("three planted folders in a ring are found, though no two of them import each other", () => {
  const planted = importing({
    "src/node/one/a.ts": 'import { b } from "../two/b.ts";',
    "src/node/two/b.ts": "",
    "src/node/two/c.ts": 'import { d } from "../three/d.ts";',
    "src/node/three/d.ts": "",
    "src/node/three/e.ts": 'import { f } from "../one/f.ts"; import { g } from "../four/g.ts";',
    "src/node/one/f.ts": "",
    "src/node/four/g.ts": "",
  });
  expect(folderRings(planted)).toEqual([
    {
      folders: ["src/node/one", "src/node/three", "src/node/two"],
      problem:
        "These folders import each other: src/node/one, src/node/three, src/node/two. " +
        "src/node/one/a.ts imports src/node/two/b.ts; src/node/three/e.ts imports src/node/one/f.ts; " +
        "src/node/two/c.ts imports src/node/three/d.ts.",
    },
  ]);
});

test("planted rooms that import each other are found, and so are folders deep in a room", () => {
  const planted = importing({
    "src/cli/a.ts": 'export * from "../core/b.ts";',
    "src/core/b.ts": "",
    "src/core/c.ts": 'import { a } from "../cli/a.ts";',
    "src/core/x/one/a.ts": 'import { b } from "../two/b.ts";',
    "src/core/x/two/b.ts": "",
    "src/core/x/two/c.ts": 'import type { A } from "../one/a.ts";',
  });
  expect(folderRings(planted).map(({ folders }) => folders)).toEqual([
    ["src/cli", "src/core"],
    ["src/core/x/one", "src/core/x/two"],
  ]);
});

test("a folder and a file beside it may import each other, and so may a folder and what is in it", () => {
  const planted = importing({
    "src/core/a.ts": 'import { b } from "./base/b.ts";',
    "src/core/base/b.ts": 'import { c } from "../c.ts"; import { d } from "./deep/d.ts";',
    "src/core/base/deep/d.ts": 'import { e } from "../e.ts";',
    "src/core/base/e.ts": "",
    "src/core/c.ts": "",
  });
  expect(folderRings(planted)).toEqual([]);
});

test("a folder with one file too many is found, whatever its subfolders hold", () => {
  const inFolder = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => [`${folder}/${index}.ts`, ""]);
  const planted = new Map([...inFolder("src/core", 25), ...inFolder("src/core/base", 24)]);
  expect(crowdedFolders(planted)).toEqual(["src/core has 25 files; 24 are the most. Give it rooms."]);
});
