import { join } from "node:path";
import { build } from "esbuild";

/**
 * What a command loads when it runs is not needed to list the commands.
 *
 * @type {import("esbuild").Plugin}
 */
const withoutDynamicImports = {
  name: "without-dynamic-imports",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/**
 * Imports a module of the sources, for tables that the package does not export.
 *
 * @param {string} root
 * @param {string} file
 * @returns {Promise<any>}
 */
export async function importSource(root, file) {
  const { outputFiles } = await build({
    entryPoints: [join(root, "src", file)],
    bundle: true,
    format: "esm",
    platform: "node",
    // As in the build: what a package has as CommonJS may need a require that is not there.
    mainFields: ["module", "main"],
    write: false,
    plugins: [withoutDynamicImports],
  });
  const code = outputFiles.map(({ text }) => text).join("");
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
