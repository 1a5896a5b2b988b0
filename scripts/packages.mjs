// The packages that our files load when they are needed: users install none of them. A file of src/packages has what we use of
// one; the build makes a file of each, which the library and the programs share, and what several need becomes chunks.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";

const SOURCES = "src/packages";

/** What stands for each of them in bundles for browsers and workers. */
export const NOT_HERE = `${SOURCES}/not-here.ts`;

/** What the others import, by the name under which package.json lets them. */
export const PACKAGES = new Map(
  readdirSync(join(root, SOURCES))
    .map((file) => `${SOURCES}/${file}`)
    .filter((file) => file !== NOT_HERE)
    .map((file) => [file, `#package/${basename(file, ".ts")}`]),
);

/** Packages that are required, by code that can't wait. */
const REQUIRED = ["@swc/wasm-typescript", "re2js"];

/** Packages that these would use if they were there, and that are left out. */
const LEFT_OUT = /^(?:msgpackr-extract|pg-cloudflare|pg-native)$/;

/**
 * @param {import("esbuild").BuildOptions & { metafile: true }} common
 * @param {import("esbuild").Plugin} modulesOfNode
 */
export function buildPackages(common, modulesOfNode) {
  const shortened = {
    ...common,
    outdir: "dist/packages",
    minify: true,
    plugins: [withoutOthers, modulesOfNode],
  };
  return [
    build({
      ...shortened,
      entryPoints: [...PACKAGES.keys()],
      splitting: true,
      chunkNames: "[name]-[hash]",
    }),
    build({
      ...shortened,
      entryPoints: Object.fromEntries(REQUIRED.map((name) => [name, name])),
      format: "cjs",
      outExtension: { ".js": ".cjs" },
    }),
  ];
}

/** @type {import("esbuild").Plugin} */
const withoutOthers = {
  name: "without-others",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: "left-out" }));
    onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
      contents: `throw new Error("Tenterhook does not use ${path}.");`,
    }));
  },
};
