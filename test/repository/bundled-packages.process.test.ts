import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { filesBelow, mustBeBuilt, ROOT, read } from "./support/files.ts";

beforeAll(mustBeBuilt);

const INSTALLED = new Set(
  Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }),
);

/** The packages that sources import and that npm does not install with ours, or that the program contains all the same. */
function bundledPackages(): readonly string[] {
  const imported = filesBelow("src", /\.tsx?$/).flatMap((file) =>
    [...read(file).matchAll(/^(?:import|export|\}) .*from "((?:@[\w-]+\/)?[\w.-]+)[^"]*";$/gm)].flatMap(
      ([line, name = ""]) => (/^import type |"node:|"\.|"tenterhook/.test(line) ? [] : [name]),
    ),
  );
  return [...new Set([...imported, "re2js", "unbash"])].sort();
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
    // A package that only names MIT gets the text of that licence, with its author.
    if (licence !== undefined) expect(shipped).toContain(read(join(folder, licence)).trim());
    else expect(shipped).toContain(`\n${name} ${version} (MIT)\n\nMIT License\n\nCopyright (c) `);
  }
});

test("every package in the built files may be shipped with ours", () => {
  const licences = [...read("dist/licenses.txt").matchAll(/^\S+ \d+\.\d+\.\d+ \((.*)\)$/gm)].map(
    ([, licence = ""]) => licence,
  );
  expect(licences.length).toBeGreaterThan(10);
  expect(
    licences.filter((licence) => !/^(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|OFL-1\.1)$/.test(licence)),
  ).toEqual([]);
});

test("built files load only packages that npm installs with ours or that users install", () => {
  const names = filesBelow("dist", /\.c?js$/).flatMap((file) =>
    // Long lines are broken, within texts too.
    [
      ...read(file)
        .replaceAll("\\\n", "")
        .matchAll(/(?:\bfrom ?|\bimport ?\(?|\brequire\()"((?:@[\w-]+\/)?[\w-]+)[^"]*"/g),
    ].flatMap(([, name = ""]) =>
      name === "node" || name === "tenterhook" || INSTALLED.has(name) ? [] : [`${file}: ${name}`],
    ),
  );
  expect(names).toEqual([]);
});

test("declarations name only packages that npm installs with ours", () => {
  const names = filesBelow("dist", /\.d\.ts$/).flatMap((file) =>
    [...read(file).matchAll(/(?:from |import\()"((?:@[\w-]+\/)?[\w-]+)[^"]*"/g)].map(([, name = ""]) => name),
  );
  const known = new Set([...Object.keys(manifest.dependencies), "node", "tenterhook", "json-schema"]);
  expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([]);
});

test("sources import a package that becomes part of our files by a statement", () => {
  // esbuild leaves only the default export of what `import()` loads from CommonJS.
  const names = filesBelow("src", /\.tsx?$/).flatMap((file) =>
    [...read(file).matchAll(/(?<!typeof )\bimport\("((?:@[\w-]+\/)?[\w-]+)[^"]*"\)/g)].flatMap(
      ([, name = ""]) => (INSTALLED.has(name) ? [] : [`${file}: ${name}`]),
    ),
  );
  expect(names).toEqual([]);
});
