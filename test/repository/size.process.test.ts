import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";

/**
 * Bytes after minifying and gzip, a tenth above what they were when they were set. Raise one only together with what
 * its users get for it.
 */
const ROOT_BUDGET = 43_000;
const CORE_BUDGET = 40_000;
/** One outcome alone, as a library of hooks has it that makes no hook set itself. */
const OUTCOME_BUDGET = 3_000;
/** All that the root may load, as one file of so many megabytes: in a worker without the packages that need Node. */
const ONE_FILE: readonly (readonly [where: string, megabytes: number, options: BuildOptions])[] = [
  ["node", 2.9, { platform: "node" }],
  ["workers", 1.7, { platform: "neutral", conditions: ["worker"], external: ["node:*"] }],
];

/** Leaves out what is loaded later, as it is needed. */
const nothingLater: Plugin = {
  name: "nothing-later",
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};

/**
 * Bundles what an entry file loads at once into one file, as the build does with the engine; tells its size and what it
 * still imports.
 */
async function bundled(entry: string): Promise<{ bytes: number; imports: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "out",
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [nothingLater],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return {
    bytes: outputFiles.reduce((sum, file) => sum + gzipSync(file.contents).length, 0),
    imports: imports.flatMap(({ path, kind }) => (kind === "dynamic-import" ? [] : [path])),
  };
}

test("the root export stays within its budget, and loads no module of Node before it is used", async () => {
  const { bytes, imports } = await bundled("src/index.ts");
  expect(imports).toEqual([]);
  expect(bytes).toBeGreaterThan(ROOT_BUDGET / 2);
  expect(bytes).toBeLessThanOrEqual(ROOT_BUDGET);
});

describe("in a project of a user", () => {
  let project: PackedProject;
  beforeAll(async () => {
    project = await packedProject();
  });
  afterAll(() => project.remove());

  test.each([
    ["tenterhook", "node"],
    ["tenterhook/core", "node"],
    ["tenterhook/core", "browser"],
  ] as const)("an outcome of %s brings nothing else into a bundle for %s", async (name, platform) => {
    const { outputFiles } = await build({
      stdin: { contents: `export { deny } from "${name}";`, resolveDir: project.folder },
      bundle: true,
      minify: true,
      write: false,
      platform,
      format: "esm",
    });
    expect(outputFiles.reduce((sum, file) => sum + gzipSync(file.contents).length, 0)).toBeLessThanOrEqual(
      OUTCOME_BUDGET,
    );
  });

  test.each(ONE_FILE)(
    "all of the root as one file for %s stays within its budget",
    async (_, most, options) => {
      const { outputFiles } = await build({
        ...options,
        stdin: { contents: 'export * from "tenterhook";', resolveDir: project.folder },
        bundle: true,
        minify: true,
        write: false,
        format: "esm",
      });
      const megabytes = (outputFiles?.[0]?.contents.length ?? 0) / 1_048_576;
      expect(megabytes).toBeGreaterThan(most / 2);
      expect(megabytes).toBeLessThanOrEqual(most);
    },
  );
});

test("core stays within its budget, and needs no module of Node and no package", async () => {
  const { bytes, imports } = await bundled("src/core.ts");
  expect(imports).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(CORE_BUDGET);
});

test("an agent's hook starts with nothing of Node that takes time to load", async () => {
  const { imports } = await bundled("src/hook/process/main.ts");
  expect([...new Set(imports)].sort()).toEqual(["node:buffer", "node:fs", "node:path"]);
});
