// The page of the dashboard: src/dashboard becomes a page, a script, a style and a font in dist/dashboard, which the daemon serves.
import { join, relative } from "node:path";
import { build } from "vite";
import { root } from "./run.mjs";

/** @returns the modules that became part of it, as paths below the repository. */
export async function buildDashboard() {
  /** @type {Set<string>} */
  const modules = new Set();
  await build({
    configFile: false,
    root: join(root, "src/dashboard"),
    base: "./",
    logLevel: "warn",
    esbuild: { jsx: "automatic", jsxImportSource: "preact" },
    build: {
      outDir: join(root, "dist/dashboard"),
      emptyOutDir: true,
      target: "es2022",
      modulePreload: { polyfill: false },
      // The page allows nothing inline.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
    plugins: [
      {
        name: "modules",
        buildEnd() {
          for (const id of this.getModuleIds())
            modules.add(relative(root, id.replace(/^\0/, "").replace(/\?.*$/, "")));
        },
      },
    ],
  });
  return [...modules, "node_modules/@fontsource-variable/inter/package.json"];
}
