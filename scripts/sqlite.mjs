// Builds the package that has SQLite for Node before 22.16 into sqlite/dist: SQLite's own package with what it needs, without its
// sources and its install script. `npm publish sqlite/dist` publishes it, before the package itself.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { licensesOf, packagesOf } from "./licenses.mjs";
import { root } from "./run.mjs";
import { sbomOf } from "./sbom.mjs";

const ORIGINAL = "node_modules/@photostructure/sqlite";
const target = join(root, "sqlite/dist");

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["sqlite/index.js"],
  // It looks for its programs beside the folder of its file.
  outfile: "sqlite/dist/lib/index.cjs",
  alias: { "@photostructure/sqlite": `./${ORIGINAL}/dist/index.cjs` },
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  metafile: true,
  logLevel: "warning",
});
cpSync(join(root, ORIGINAL, "prebuilds"), join(target, "prebuilds"), { recursive: true });
cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
cpSync(join(root, "sqlite/README.md"), join(target, "README.md"));

const { private: _, dependencies: __, type: ___, ...manifest } = read("sqlite/package.json");
const { os, cpu } = read(`${ORIGINAL}/package.json`);
// In a clone, which has it on every Node, npm would warn of these versions.
const engines = { node: "<22.16 || 23.x" };
const published = { ...manifest, engines, os, cpu, exports: "./lib/index.cjs" };
writeFileSync(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
const packages = packagesOf(Object.keys(metafile.inputs));
writeFileSync(join(target, "licenses.txt"), licensesOf(packages));
writeFileSync(join(target, "sbom.cdx.json"), sbomOf(packages, published));
