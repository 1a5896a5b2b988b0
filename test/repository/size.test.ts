import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "./support/files.ts";

/**
 * Bytes after minifying and gzip, a tenth above what they were when they were set. Raise one only together with what
 * its users get for it.
 */
const ROOT_BUDGET = 25_500;
const CORE_BUDGET = 24_500;

/** Bundles an entry file as a user's bundler would, and tells its size and what it still imports. */
async function bundled(entry: string): Promise<{ bytes: number; imports: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  return {
    bytes: gzipSync(outputFiles[0]?.contents ?? "").length,
    imports: Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path)),
  };
}

test("the root export stays within its budget", async () => {
  const { bytes } = await bundled("src/index.ts");
  expect(bytes).toBeLessThanOrEqual(ROOT_BUDGET);
});

test("core stays within its budget, and needs no module of Node and no package", async () => {
  const { bytes, imports } = await bundled("src/core.ts");
  expect(imports).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(CORE_BUDGET);
});
