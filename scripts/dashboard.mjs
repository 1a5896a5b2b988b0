// The page of the dashboard: src/dashboard becomes a page, a script, a style and a font in dist/dashboard, which the daemon
// serves, and report.html, the same page as one file, which is filled with what it shows.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "vite";
import { root } from "./run.mjs";

const folder = join(root, "src/dashboard");

/** @returns the modules that became part of it, as paths below the repository. */
export async function buildDashboard() {
  /** @type {Set<string>} */
  const modules = new Set();
  const common = /** @satisfies {import("vite").InlineConfig} */ ({
    configFile: false,
    root: folder,
    base: "./",
    logLevel: "warn",
    esbuild: { jsx: "automatic", jsxImportSource: "preact" },
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
  const target = { target: "es2022", reportCompressedSize: false };
  await build({
    ...common,
    build: {
      ...target,
      outDir: join(root, "dist/dashboard"),
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // The page allows nothing inline.
      assetsInlineLimit: 0,
    },
  });
  const built = await build({
    ...common,
    publicDir: false,
    build: {
      ...target,
      write: false,
      // The font becomes part of the style.
      assetsInlineLimit: 1_000_000,
      cssCodeSplit: false,
      rollupOptions: { input: join(folder, "report.tsx"), output: { format: "iife" } },
    },
  });
  writeFileSync(join(root, "dist/dashboard/report.html"), reportOf([built].flat()));
  return [...modules, "node_modules/@fontsource-variable/inter/package.json"];
}

/**
 * One file that allows its own script and its own style, by their digests, and nothing else.
 *
 * @param {readonly (import("vite").Rollup.RollupOutput | import("vite").Rollup.RollupWatcher)[]} built
 */
function reportOf(built) {
  const parts = built.flatMap((one) => ("output" in one ? one.output : []));
  const script = parts
    .flatMap((part) => (part.type === "chunk" ? part.code : []))
    .join("")
    .replaceAll("</script", "<\\/script");
  const style = parts
    .flatMap((part) => (part.type === "asset" && part.fileName.endsWith(".css") ? String(part.source) : []))
    .join("");
  const icon = readFileSync(join(folder, "public/favicon.svg"), "utf8").trim();
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "font-src data:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<title>Tenterhook</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="report"></script>
<script>${script}</script>
</body>
</html>
`;
}

/** @param {string} text */
function digest(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
