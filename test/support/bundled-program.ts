import { existsSync, renameSync } from "node:fs";
import { extname, join } from "node:path";
import { buildSync } from "esbuild";
import { inject } from "vitest";

const TESTS = new URL("../", import.meta.url).pathname;

/** Packages that are not ES modules call `require`. */
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

/**
 * Builds a program that Node can run from a source file, once for all tests of a run.
 *
 * @param options.packages `bundle` also builds in the packages it uses, which makes its start several times faster.
 */
export function bundledProgram(
  file: URL,
  { packages = "external" }: { readonly packages?: "external" | "bundle" } = {},
): string {
  // Programs in different folders may have the same name.
  const name = file.pathname.slice(TESTS.length, -extname(file.pathname).length).replaceAll("/", "-");
  const program = join(inject("sharedFolder"), `${name}.mjs`);
  if (existsSync(program)) return program;
  const outfile = `${program}.${process.pid}`;
  buildSync({
    entryPoints: [file.pathname],
    bundle: true,
    platform: "node",
    format: "esm",
    packages,
    ...(packages === "bundle" ? { banner: { js: REQUIRE } } : {}),
    outfile,
    logLevel: "error",
  });
  renameSync(outfile, program);
  return program;
}
