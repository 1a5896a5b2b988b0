import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "./support/files.ts";

/**
 * Bytes after minifying and gzip, a tenth above what they were when they were set. Raise one only together with what
 * its users get for it.
 */
const ROOT_BUDGET = 31_000;
const CORE_BUDGET = 27_500;

/** Bundles an entry file as a user's bundler would; tells the size of what it loads at once, and what that still imports. */
async function bundled(entry: string): Promise<{ bytes: number; imports: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    splitting: true,
    outdir: "out",
    platform: "node",
    format: "esm",
    packages: "external",
  });
  const contents = new Map(outputFiles.map((file) => [relative(ROOT, file.path), file.contents]));
  const first = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === entry);
  const atOnce = new Set(first === undefined ? [] : [first]);
  const imports: string[] = [];
  for (const path of atOnce) {
    for (const { path: imported, kind, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind === "dynamic-import") continue;
      if (external === true) imports.push(imported);
      else atOnce.add(imported);
    }
  }
  const bytes = [...atOnce].reduce((sum, path) => sum + gzipSync(contents.get(path) ?? "").length, 0);
  return { bytes, imports };
}

test("the root export stays within its budget", async () => {
  const { bytes } = await bundled("src/index.ts");
  expect(bytes).toBeGreaterThan(ROOT_BUDGET / 2);
  expect(bytes).toBeLessThanOrEqual(ROOT_BUDGET);
});

test("core stays within its budget, and needs no module of Node and no package", async () => {
  const { bytes, imports } = await bundled("src/core.ts");
  expect(imports).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(CORE_BUDGET);
});
