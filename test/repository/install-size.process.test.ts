import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, read } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";

/**
 * What `du` may say of an installation in megabytes. A third of a plain one is SQLite for several systems, a tenth the
 * queue of the fleet.
 */
const MOST_MEGABYTES = { plain: 114, "--omit=optional": 48 };

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
}

/** Bytes on disk, in blocks as file systems have them. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + (entry.name === "node_modules" ? 0 : bytesBelow(path));
    return sum + Math.ceil(statSync(path).size / 4096) * 4096;
  }, 4096);
}

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
});
afterAll(() => project.remove());

test.each([
  ["plain", (row: LockedPackage) => row.dev || row.peer, manifest.optionalDependencies],
  ["--omit=optional", (row: LockedPackage) => row.dev || row.peer || row.devOptional || row.optional, {}],
] as const)("an installation (%s) stays within its size", (kind, isLeftOut, optional) => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read("package-lock.json"));
  const installed = Object.entries(packages).flatMap(([path, row]) =>
    path === "" || isLeftOut(row) ? [] : [path],
  );
  const named = Object.keys({ ...manifest.dependencies, ...optional });
  expect(installed).toEqual(expect.arrayContaining(named.map((name) => `node_modules/${name}`)));
  const there = installed.map((path) => join(ROOT, path)).filter((path) => existsSync(path));
  const own = bytesBelow(join(project.folder, "node_modules/tenterhook"));
  const megabytes = there.reduce((sum, path) => sum + bytesBelow(path), own) / 1_048_576;
  expect(megabytes).toBeGreaterThan(MOST_MEGABYTES[kind] / 2);
  expect(megabytes).toBeLessThanOrEqual(MOST_MEGABYTES[kind]);
});

/** What needs a package that an installation may lack, and how it fails without it. */
const NEEDS = {
  "@photostructure/sqlite": `
import { sqliteStore } from "tenterhook/stores";
await sqliteStore({ file: "a.db" }).list();`,
  pg: `
import { postgresStore } from "tenterhook/stores";
await postgresStore({ url: "postgres://user@127.0.0.1:1/name" }).list();`,
  "@ai-sdk/google": `
import { openModel } from "tenterhook/agent";
await openModel("google/gemini-2.5-flash", { environment: { GEMINI_API_KEY: "key" } });`,
  "@modelcontextprotocol/sdk": `
import { mcpTools } from "tenterhook/agent";
const { warnings } = await mcpTools({ files: { command: "files" } }, { cwd: ".", environment: {}, signal: new AbortController().signal });
throw new Error(warnings.join());`,
  "@opentelemetry/api": `
import { Agent, scriptedModel } from "tenterhook/agent";
const { text } = await new Agent({ model: scriptedModel([{ text: "untraced" }]) }).run("Go.");
if (text !== "untraced") throw new Error("An agent without telemetry needs the package.");
await new Agent({ model: scriptedModel([]), telemetry: true }).run("Go.");`,
} as const;

/** Only `tenterhook fleet` needs these; the library does not. */
const OF_COMMANDS = ["bullmq", "ioredis"];

describe("without an optional package", () => {
  test("npm installs each of them by itself, but for the one of which a program must have one copy", () => {
    const { optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    expect(peerDependenciesMeta).toEqual({ "@opentelemetry/api": { optional: true } });
    expect(Object.keys({ ...optionalDependencies, ...peerDependencies }).sort()).toEqual(
      [...Object.keys(NEEDS), ...OF_COMMANDS].sort(),
    );
  });

  test.each(Object.entries(NEEDS))("what needs %s says how to install it", async (name, program) => {
    project.write({ "program.mjs": program });
    const { code, output } = await project.run(process.execPath, "program.mjs");
    const ranges: Readonly<Record<string, string>> = {
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    };
    const major = /\d+/.exec(ranges[name] ?? "")?.[0];
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(`npm install (?:\\S+ )*${name}@${major}`),
    });
  });
});
