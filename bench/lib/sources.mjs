import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Imports what the package does not export. Node 20 reads no TypeScript.
 *
 * @param {string} name Of the file that is made, below the packages, so that it finds them.
 * @param {Readonly<Record<string, string>>} parts What is imported, and the source that has it.
 */
export async function importSources(name, parts) {
  const outfile = join(ROOT, "node_modules/.cache/tenterhook-bench", `${name}.mjs`);
  const contents = Object.entries(parts).map(([part, file]) => `export { ${part} } from "./src/${file}";`);
  await build({
    stdin: { contents: contents.join("\n"), resolveDir: ROOT },
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", outfile },
  });
  return import(pathToFileURL(outfile).href);
}
