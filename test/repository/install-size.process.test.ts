import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import sqlite from "../../sqlite/package.json" with { type: "json" };
import { isWhole } from "../../src/node/sqlite/load-sqlite.ts";
import { bytesBelow } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";

/** What `du` may say of an installation in megabytes. */
const MOST_MEGABYTES = 22;

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
});
afterAll(() => project.remove());

test("an installation is one package within its size, and runs no script", () => {
  const { optionalDependencies, peerDependenciesMeta } = manifest;
  expect(manifest).not.toHaveProperty("dependencies");
  expect(Object.keys(optionalDependencies)).toEqual(["tenterhook-sqlite"]);
  expect(peerDependenciesMeta).toEqual({ "@opentelemetry/api": { optional: true } });
  expect(Object.keys(manifest.scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  const megabytes = bytesBelow(join(project.folder, "node_modules/tenterhook")) / 1_048_576;
  expect(megabytes).toBeGreaterThan(MOST_MEGABYTES / 2);
  expect(megabytes).toBeLessThanOrEqual(MOST_MEGABYTES);
});

test("the package for SQLite is of the same version, for the versions of Node that lack it", () => {
  expect(manifest.optionalDependencies["tenterhook-sqlite"]).toBe(manifest.version);
  expect(sqlite.version).toBe(manifest.version);
});

/** What needs a package that is not there, and how it fails. */
const NEEDS = {
  "tenterhook-sqlite": `
import { sqliteStore } from "tenterhook/stores";
await sqliteStore({ file: "a.db" }).list();`,
  "@opentelemetry/api": `
import { Agent, scriptedModel } from "tenterhook/agent";
const { text } = await new Agent({ model: scriptedModel([{ text: "untraced" }]) }).run("Go.");
if (text !== "untraced") throw new Error("An agent without telemetry needs the package.");
await new Agent({ model: scriptedModel([]), telemetry: true }).run("Go.");`,
} as const;

describe("without an optional package", () => {
  test.for(Object.entries(NEEDS))(
    "what needs %s says how to install it",
    async ([name, program], { skip }) => {
      skip(name === "tenterhook-sqlite" && isWhole(process.versions.node), "This Node has SQLite.");
      project.write({ "program.mjs": program });
      const { code, output } = await project.run(process.execPath, "program.mjs");
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringMatching(`npm install ${name}@\\d`),
      });
    },
  );
});
