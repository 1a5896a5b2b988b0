import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";

/** Makes a program that Node can run of a TypeScript file, so that tests can have several real processes. Gone after the tests. */
export async function bundledProgram(file: URL): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-program-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // So that it finds the packages its sources use.
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [file.pathname],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
  });
  return outfile;
}
