import { readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { filesBelow, mustBeBuilt, ROOT, read } from "./support/files.ts";

beforeAll(mustBeBuilt);

const INSTALLED = new Set(Object.keys({ ...manifest.optionalDependencies, ...manifest.peerDependencies }));

/** A line of `dist/licenses.txt` that names a package, with its licence. */
const LICENSED = /^\S+ \d+\.\d+\.\d+ \((.*)\)$/gm;

/** The packages that sources import, and that therefore our files contain. */
function bundledPackages(): readonly string[] {
  const imported = filesBelow("src", /\.tsx?$/).flatMap((file) =>
    [...read(file).matchAll(/^(?:import|export|\}) .*from "((?:@[\w-]+\/)?[\w.-]+)[^"]*";$/gm)].flatMap(
      ([line, name = ""]) => (/^import type |"node:|"\.|"tenterhook/.test(line) ? [] : [name]),
    ),
  );
  return [...new Set([...imported, "@swc/wasm-typescript", "re2js", "unbash"])].sort();
}

test("the licence of every package that the built files contain is shipped", () => {
  const shipped = read("dist/licenses.txt");
  const bundled = bundledPackages();
  expect(bundled).toEqual(expect.arrayContaining(["commander", "hono", "yaml"]));
  for (const name of bundled) {
    const folder = `node_modules/${name}`;
    const { version }: { version: string } = JSON.parse(read(join(folder, "package.json")));
    const licence = readdirSync(join(ROOT, folder)).find((file) => /^licen[cs]e/i.test(file));
    expect(shipped).toContain(`\n${name} ${version} (`);
    if (licence !== undefined) expect(shipped).toContain(read(join(folder, licence)).trim());
  }
  // A package that only names MIT gets the text of that licence, with its author.
  expect(shipped).toMatch(/\npg-types \S+ \(MIT\)\n\nMIT License\n\nCopyright \(c\) Brian M\. Carlson\n/);
});

test("the list for auditors names the same packages as the licences, with the hashes of their archives", () => {
  const { components }: { components: readonly { name: string; version: string; hashes?: object }[] } =
    JSON.parse(read("dist/sbom.cdx.json"));
  const licensed = [...read("dist/licenses.txt").matchAll(LICENSED)].map(([line]) => line);
  expect(components.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
    licensed.map((line) => line.replace(/ \(.*/, "")).sort(),
  );
  expect(components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["pg", "zod"]));
});

test("every package in the built files may be shipped with ours", () => {
  const licences = [...read("dist/licenses.txt").matchAll(LICENSED)].map(([, licence = ""]) => licence);
  expect(licences.length).toBeGreaterThan(10);
  expect(
    licences.filter((licence) => !/^(?:MIT|0BSD|ISC|BSD-[23]-Clause|Apache-2\.0|OFL-1\.1)$/.test(licence)),
  ).toEqual([]);
});

/** Named in texts that packages contain: code that a schema compiler writes, a comment in a script for Redis. */
const IN_TEXTS = ["ajv", "ajv-formats", "moveToFinished"];

test("built files load only packages that npm installs with ours or that users install", () => {
  const names = filesBelow("dist", /\.c?js$/).flatMap((file) =>
    // Long lines are broken, within texts too.
    [
      ...read(file)
        .replaceAll("\\\n", "")
        .matchAll(/(?:\bfrom ?|\bimport ?\(?|\brequire\()"((?:@[\w-]+\/)?[\w-]+)[^"]*"/g),
    ].flatMap(([, name = ""]) =>
      [...IN_TEXTS, "node", "tenterhook"].includes(name) || isBuiltin(name) || INSTALLED.has(name)
        ? []
        : [`${file}: ${name}`],
    ),
  );
  expect(names).toEqual([]);
});

test("declarations name no package but ours", () => {
  const names = filesBelow("dist", /\.d\.ts$/).flatMap((file) =>
    [...read(file).matchAll(/(?:from |import\()"((?:@[\w-]+\/)?[\w-]+)[^"]*"/g)].map(([, name = ""]) => name),
  );
  expect([...new Set(names)].filter((name) => name !== "node" && name !== "tenterhook")).toEqual([]);
});

test("what stands for packages in bundles for workers has a name for everything that is used of them", () => {
  const used = filesBelow("src/packages", /(?<!not-here)\.ts$/).flatMap((file) => exportedBy(file));
  expect(exportedBy("src/packages/not-here.ts").toSorted()).toEqual([...new Set(used)].sort());
});

/** The names in the list of exports of a file. */
function exportedBy(file: string): readonly string[] {
  const lists = [...read(file).matchAll(/^export \{([^}]*)\}/gm)].map(([, list = ""]) => list);
  return lists.flatMap((list) => [...list.matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = ""]) => name));
}

test("sources import a package in CommonJS by a statement", () => {
  // esbuild leaves only the default export of what `import()` loads from CommonJS.
  const names = filesBelow("src", /\.tsx?$/).flatMap((file) =>
    [...read(file).matchAll(/(?<!typeof )\bimport\("((?:@[\w-]+\/)?[\w-]+)[^"]*"\)/g)].flatMap(
      ([, name = ""]) => (isModule(name) ? [] : [`${file}: ${name}`]),
    ),
  );
  expect(names).toEqual([]);
});

function isModule(name: string): boolean {
  const { type }: { type?: string } = JSON.parse(read(`node_modules/${name}/package.json`));
  return type === "module";
}
