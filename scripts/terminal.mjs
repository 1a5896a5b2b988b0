// The screens of the command line, with Ink, React and what they need, as a module: Ink waits for its layout engine while it
// loads, which CommonJS can't. Commands load it only when they show a screen, so nobody else pays for it, and users install
// none of these packages. What prints the same without a screen is a module of its own, and they share what draws.
import { build } from "esbuild";

/** What the commands load, by the name under which package.json lets them import it. */
export const TERMINAL = new Map([
  ["src/terminal/screens.ts", "#terminal"],
  ["src/terminal/run/printed-run.ts", "#printed-run"],
]);

/** Packages of Ink's that are never used here, and what stands for them. */
const REPLACED = new Map([
  // A screen is shown on terminals only, also on those of a CI.
  ["is-in-ci", "export default false;"],
  ["./devtools.js", ""],
]);

/**
 * @param {import("esbuild").BuildOptions & { metafile: true }} common
 * @param {import("esbuild").Plugin} modulesOfNode
 */
export function buildTerminal(common, modulesOfNode) {
  return build({
    ...common,
    entryPoints: Object.fromEntries(Array.from(TERMINAL, ([source, name]) => [name.slice(1), source])),
    outdir: "dist",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    plugins: [replaced, modulesOfNode],
  });
}

/** @type {import("esbuild").Plugin} */
const replaced = {
  name: "replaced",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:is-in-ci|\.\/devtools\.js)$/ }, ({ path }) => ({ path, namespace: "replaced" }));
    onLoad({ filter: /./, namespace: "replaced" }, ({ path }) => ({ contents: REPLACED.get(path) ?? "" }));
  },
};
