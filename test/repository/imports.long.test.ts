import { build } from "esbuild";
import { expect, test } from "vitest";
import { filesBelow, ROOT, read } from "./support/files.ts";
import { importsOf } from "./support/imports.ts";

test("the scanner of imports sees every import that esbuild sees", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...filesBelow("src", /\.tsx?$/)],
    bundle: true,
    // What files share is written once, not once for each of them.
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: "unused",
  });
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    if (file.endsWith(".css")) continue;
    const runtime = importsOf(read(file)).filter(({ typeOnly }) => !typeOnly);
    expect([file, runtime.map(({ from }) => from)]).toEqual([
      file,
      // esbuild adds the last one to files with JSX.
      expect.arrayContaining(
        imports
          .map(({ original, path }) => original ?? path)
          .filter((name) => !name.endsWith("/jsx-runtime")),
      ),
    ]);
  }
});
