// The engine of the site's playground: the hooks, the rules and the shell analysis of src as modules for browsers, in
// site/pages/public/engine. What a call may not need (packs, YAML, the agents' payloads) are files of their own.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root } from "./run.mjs";

export const ENGINE = join(root, "site/pages/public/engine");

/**
 * Adapters can read transcripts, which nobody does in a browser: there are no files, and asking for one throws.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutNode = {
  name: "without-node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "node" }));
    onLoad({ filter: /./, namespace: "node" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
};

/** @param {string} folder */
export async function buildPlayground(folder = ENGINE) {
  rmSync(folder, { recursive: true, force: true });
  return build({
    absWorkingDir: root,
    entryPoints: { engine: "site/playground/engine.ts" },
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    mainFields: ["module", "main"],
    chunkNames: "[name]-[hash]",
    charset: "ascii",
    logLevel: "warning",
    metafile: true,
    plugins: [withoutNode],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPlayground();
