// Each subpath export becomes one file, and what several share becomes a chunk: loading sixty small modules takes Node
// as long as starting itself. The declarations stay one for each source file.
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root, run } from "./run.mjs";

/** @type {{ exports: Record<string, string | { default: string }> }} */
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const entryPoints = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")],
);

rmSync(fileURLToPath(new URL("../dist", import.meta.url)), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints,
  outdir: "dist",
  outbase: "src",
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  logLevel: "warning",
});
run("tsc", "-p", "tsconfig.build.json", "--emitDeclarationOnly");
