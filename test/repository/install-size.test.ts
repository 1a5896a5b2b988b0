import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, read } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";

/** What `du` says of a plain installation in megabytes; it was 92 when SQLite and MCP were part of it. */
const MOST_MEGABYTES = 47;

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

test("a plain installation takes at most half of what it once took", () => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read("package-lock.json"));
  const installed = Object.entries(packages).flatMap(([path, { dev, devOptional, optional, peer }]) =>
    path === "" || dev || devOptional || optional || peer ? [] : [path],
  );
  expect(installed).toEqual(
    expect.arrayContaining(Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`)),
  );
  const own = bytesBelow(join(project.folder, "node_modules/tenterhook"));
  const bytes = installed.reduce((sum, path) => sum + bytesBelow(join(ROOT, path)), own);
  expect(bytes / 1_048_576).toBeGreaterThan(MOST_MEGABYTES / 2);
  expect(bytes / 1_048_576).toBeLessThanOrEqual(MOST_MEGABYTES);
});

/** What needs a package that a plain installation does not have, and how it fails without it. */
const NEEDS = {
  "@photostructure/sqlite": `
import { sqliteStore } from "tenterhook/stores";
await sqliteStore({ file: "a.db" }).list();`,
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

describe("without an optional package", () => {
  test("the packages are optional peers, which npm does not install by itself", () => {
    const { peerDependencies, peerDependenciesMeta } = manifest;
    expect(Object.keys(peerDependencies).sort()).toEqual(Object.keys(NEEDS).sort());
    for (const name of Object.keys(NEEDS))
      expect(peerDependenciesMeta).toMatchObject({ [name]: { optional: true } });
  });

  test.each(Object.entries(NEEDS))("what needs %s says how to install it", async (name, program) => {
    project.write({ "program.mjs": program });
    const { code, output } = await project.run(process.execPath, "program.mjs");
    const ranges: Readonly<Record<string, string>> = manifest.peerDependencies;
    const major = /\d+/.exec(ranges[name] ?? "")?.[0];
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(`npm install (?:\\S+ )*${name}@${major}`),
    });
  });
});
