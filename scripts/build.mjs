// The library: the engine (what the root loads of core and node) becomes one file; each subpath export becomes another next
// to it, and what several share beyond the engine becomes chunks. Node takes as long as starting itself to load the dozen
// chunks that the engine would be split into. The programs share nothing with the library; see programs.mjs. The
// declarations stay one for each source file.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { buildDashboard } from "./dashboard.mjs";
import { licensesOf } from "./licenses.mjs";
import { buildPrograms } from "./programs.mjs";
import { root, run } from "./run.mjs";
import { buildTerminal } from "./terminal.mjs";

/**
 * @type {{
 *   version: string,
 *   exports: Record<string, string | { node?: string, default: string }>,
 *   dependencies: Record<string, string>,
 *   optionalDependencies: Record<string, string>,
 *   peerDependencies: Record<string, string>,
 * }}
 */
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The sources of the exports. */
const sources = [
  ...new Set(
    Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string"
        ? []
        : [(target.node ?? target.default).replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")],
    ),
  ),
];

/** What users load is not minified, because Node prints the line that threw; names and lines need no source map then. */
const common = /** @satisfies {import("esbuild").BuildOptions} */ ({
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // The others are small, and to find a package takes Node longer than to read it: they become part of our files.
  external: Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  }),
  mainFields: ["module", "main"],
  charset: "ascii",
  logLevel: "warning",
  metafile: true,
});

/**
 * The modules of the engine: what the root loads at once of core, and of the files directly in node. package.json lets the
 * other files import the result as `#engine`.
 */
const engineModules = await modulesOfEngine();

async function modulesOfEngine() {
  const entry = "src/index.ts";
  const { metafile } = await build({ ...common, entryPoints: [entry], outdir: "dist", write: false });
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind === "import-statement" && external !== true) loaded.add(path);
  // It has only types and is exported as a whole; as a part of the engine it would take all of the engine along.
  loaded.delete("src/core/events/custom-events.ts");
  return [...loaded].filter((file) => /^src\/(?:core\/|node\/[^/]+$)/.test(file));
}

/**
 * Leaves sources outside that have a built file, by the name of that.
 *
 * @param {ReadonlyMap<string, string>} built
 * @returns {import("esbuild").Plugin}
 */
function alreadyBuilt(built) {
  return {
    name: "already-built",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
        const name = built.get(resolve(dirname(importer), path).slice(root.length));
        return kind === "entry-point" || name === undefined ? undefined : { path: name, external: true };
      });
    },
  };
}

/**
 * Packages in CommonJS require modules of Node, which a module can't.
 *
 * @type {import("esbuild").Plugin}
 */
const modulesOfNode = {
  name: "modules-of-node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:]+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "node" } : undefined,
    );
    onLoad({ filter: /./, namespace: "node" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}");`,
    }));
  },
};

rmSync(join(root, "dist"), { recursive: true, force: true });
const ofEngine = new Map(engineModules.map((file) => [file, "#engine"]));
const built = await Promise.all([
  build({
    ...common,
    stdin: {
      contents: engineModules.map((file) => `export * from "./${file}";`).join("\n"),
      resolveDir: root,
    },
    // A name that two modules export would be missing from the engine, and files that import it would not load.
    logOverride: { "ambiguous-reexport": "error" },
    outfile: "dist/engine.js",
  }),
  build({
    ...common,
    entryPoints: sources,
    outbase: "src",
    outdir: "dist",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    plugins: [alreadyBuilt(ofEngine), modulesOfNode],
  }),
  // For runtimes other than Node: without what the engine's file has for Node. It is bundled once more there, so it is small.
  build({
    ...common,
    minify: true,
    entryPoints: ["src/core.ts", "src/rules.ts"],
    outdir: "dist/edge",
    splitting: true,
    platform: "neutral",
  }),
  // What `install` writes into agents that load plug-ins: each file is complete and readable.
  build({
    ...common,
    entryPoints: { opencode: "src/adapters/plugins/opencode/plugin.ts", pi: "src/adapters/pi/plugin.ts" },
    outdir: "dist/plugins",
  }),
  buildTerminal(common, modulesOfNode),
  ...buildPrograms(common, manifest.version, alreadyBuilt),
]);
const pageModules = await buildDashboard();
chmodSync(join(root, "dist/tenterhook.cjs"), 0o755);
writeFileSync(
  join(root, "dist/licenses.txt"),
  licensesOf([...built.flatMap(({ metafile }) => Object.keys(metafile.inputs)), ...pageModules]),
);
// `npm run check` checks the types of the same files.
run("tsc", "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--noCheck");
removeUnreached(sources.map((file) => join(root, file.replace(/^src\/(.*)\.ts$/, "dist/$1.d.ts"))));

/**
 * Removes the declarations that no export leads to, those of the command line above all. The others are indented deeply:
 * as spaces, that would be a quarter of their size.
 *
 * @param {readonly string[]} exported
 */
function removeUnreached(exported) {
  const reached = new Set(exported);
  for (const file of reached) {
    const names = readFileSync(file, "utf8").matchAll(/(?:from |import\()["'](\.[^"']+)\.[jt]s["']/g);
    for (const [, name = ""] of names) reached.add(`${resolve(dirname(file), name)}.d.ts`);
  }
  for (const name of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
    const file = join(root, "dist", name);
    if (!name.endsWith(".d.ts")) continue;
    if (!reached.has(file)) rmSync(file);
    else
      writeFileSync(
        file,
        readFileSync(file, "utf8").replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4)),
      );
  }
}
