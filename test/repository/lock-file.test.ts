import { describe, expect, test } from "vitest";
import { read } from "./support/files.ts";

interface LockedPackage {
  readonly resolved?: string;
  /** True for a package of this repository. */
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** The places in which Node looks for a package that another one imports, the nearest first. */
function placesOf(name: string, importer: string): readonly string[] {
  const parts = importer === "" ? [] : importer.split("/node_modules/");
  return [...parts.keys(), parts.length]
    .reverse()
    .map((count) => [...parts.slice(0, count), name].join("/node_modules/"))
    .map((place) => (place.startsWith("node_modules/") ? place : `node_modules/${place}`));
}

/** Optional packages that a lock file names and has no entry for: `npm ci` fails or installs broken tools elsewhere. */
function missingEntries(packages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(([importer, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesOf(name, importer).some((place) => place in packages))
      .map((name) => `${importer} needs ${name}`),
  );
}

describe.each([
  "package-lock.json",
  "bench/peers/package-lock.json",
  "test/newer-node/package-lock.json",
  "site/package-lock.json",
])("%s", (file) => {
  const { packages }: { packages: LockedPackages } = JSON.parse(read(file));

  test("has an entry for every optional package it names, so it serves every platform", () => {
    expect(missingEntries(packages)).toEqual([]);
  });

  test("names no download address", () => {
    expect(
      Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && link !== true),
    ).toEqual([]);
  });
});

test("a lock file without the package of another platform is found", () => {
  const packages = {
    "": {},
    "node_modules/a": { optionalDependencies: { "a-linux": "1", "a-darwin": "1", "a-win32": "1" } },
    "node_modules/a-linux": {},
    "node_modules/a/node_modules/a-darwin": {},
  };
  expect(missingEntries(packages)).toEqual(["node_modules/a needs a-win32"]);
});
