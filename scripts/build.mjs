// Four steps. The engine (what the root loads of core and node) becomes one file; each subpath export becomes another
// next to it, and what several exports share beyond the engine becomes chunks. Loading sixty small modules, or the
// dozen chunks they would be split into, takes Node as long as starting itself. The command line comes last; it shares
// nothing with the exports and has scripts of its own: commands.mjs, and hot-path.mjs for `tenterhook hook`. The
// declarations stay one for each source file.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildCommands } from "./commands.mjs";
import { buildHotPath } from "./hot-path.mjs";
import { licensesOf } from "./licenses.mjs";
import { root, run } from "./run.mjs";

/**
 * @type {{
 *   version: string,
 *   exports: Record<string, string | { node?: string, default: string }>,
 *   dependencies: Record<string, string>,
 *   peerDependencies: Record<string, string>,
 * }}
 */
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const entryPoints = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [sourceOf(target)],
);

/**
 * The source of an export.
 *
 * @param {{ node?: string, default: string }} target
 */
function sourceOf({ node, default: otherwise }) {
  return (node ?? otherwise).replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts");
}

/** Entry files that put other exports together. Built with those, they would pull them apart into chunks. */
const COMBINED = ["src/open.ts"];

const common = /** @satisfies {import("esbuild").BuildOptions} */ ({
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // The others are small, and to find a package takes Node longer than to read it: they become part of our files.
  external: [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)],
  mainFields: ["module", "main"],
  charset: "ascii",
  logLevel: "warning",
  metafile: true,
});

/**
 * The modules of the engine: what the root loads of core, and of the files directly in node. package.json lets the other
 * files import the result as `#engine`.
 */
const ENGINE = "#engine";
const engineModules = new Set(
  (await loadedBy("src/index.ts"))
    .filter((file) => /^src\/(?:core\/|node\/[^/]+$)/.test(file))
    .map((file) => join(root, file)),
);
// It has only types and is exported as a whole; as a part of the engine it would take all of the engine along.
engineModules.delete(join(root, "src/core/events/custom-events.ts"));

/**
 * The modules that an entry file loads at once.
 *
 * @param {string} entryPoint
 */
async function loadedBy(entryPoint) {
  const { metafile } = await build({
    ...common,
    entryPoints: [entryPoint],
    outdir: "dist",
    write: false,
    metafile: true,
  });
  const loaded = new Set([entryPoint]);
  for (const file of loaded)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind === "import-statement" && external !== true) loaded.add(path);
  return [...loaded];
}

/**
 * What users load has source maps, which contain the sources: `--enable-source-maps` and debuggers show them. It is not
 * minified, because Node prints the line that threw.
 */
const library = /** @satisfies {import("esbuild").BuildOptions} */ ({ ...common, sourcemap: "linked" });

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

/** @type {import("esbuild").Plugin} */
const engineIsBuilt = {
  name: "engine-is-built",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      return engineModules.has(resolve(dirname(importer), path))
        ? { path: ENGINE, external: true }
        : undefined;
    });
  },
};

/** The subpath of each entry file: what several exports share is loaded once, by the same name. */
const subpaths = new Map(
  Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [[join(root, sourceOf(target)), `tenterhook${subpath.slice(1)}`]],
  ),
);

/** @type {import("esbuild").Plugin} */
const exportsAreBuilt = {
  name: "exports-are-built",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
      if (kind === "entry-point") return undefined;
      const subpath = subpaths.get(resolve(dirname(importer), path));
      return subpath === undefined ? undefined : { path: subpath, external: true };
    });
  },
};

rmSync(fileURLToPath(new URL("../dist", import.meta.url)), { recursive: true, force: true });
const engine = await build({
  ...library,
  stdin: {
    contents: [...engineModules].map((file) => `export * from ${JSON.stringify(file)};`).join("\n"),
    resolveDir: root,
    sourcefile: "engine.ts",
  },
  // A name that two modules export would be missing from the engine, and files that import it would not load.
  logOverride: { "ambiguous-reexport": "error" },
  outfile: "dist/engine.js",
});
const exported = await build({
  ...library,
  entryPoints: entryPoints.filter((file) => !COMBINED.includes(file)),
  outbase: "src",
  outdir: "dist",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  plugins: [engineIsBuilt, modulesOfNode],
});
// For runtimes other than Node: without what the engine's file has for Node. It is bundled once more there, so it is small.
const edge = await build({
  ...common,
  minify: true,
  entryPoints: ["src/core.ts", "src/rules.ts"],
  outdir: "dist/edge",
  splitting: true,
  platform: "neutral",
});
const combined = await build({
  ...library,
  entryPoints: COMBINED,
  outdir: "dist",
  plugins: [exportsAreBuilt, engineIsBuilt],
});

const program = await build({
  ...common,
  entryPoints: [{ in: "src/cli/bin.ts", out: "tenterhook" }],
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  minify: true,
  // What a shell reads of the program; for Node it is a comment.
  banner: {
    js: readFileSync(join(root, "src/cli/hook/startup/client.sh"), "utf8")
      .replace("@VERSION@", manifest.version)
      .trimEnd(),
  },
});
const commands = await buildCommands(common.external);
const hotPath = await buildHotPath();
// What `install` writes into agents that load plug-ins: each file is complete and readable.
const plugins = await build({
  ...common,
  entryPoints: { opencode: "src/adapters/plugins/opencode/plugin.ts", pi: "src/adapters/pi/plugin.ts" },
  outdir: "dist/plugins",
});
chmodSync(join(root, "dist/tenterhook.cjs"), 0o755);
writeFileSync(
  join(root, "dist/licenses.txt"),
  licensesOf([
    ...[engine, exported, edge, combined, program, commands, plugins].flatMap(({ metafile }) =>
      Object.keys(metafile.inputs),
    ),
    ...hotPath,
  ]),
);
// `npm run check` checks the types of the same files.
run("tsc", "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--noCheck");
removeUnreached(entryPoints.map((file) => join(root, file.replace(/^src\/(.*)\.ts$/, "dist/$1.d.ts"))));

/**
 * Removes the declarations that no export leads to, those of the command line above all.
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
    if (name.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
    else if (name.endsWith(".d.ts")) writeFileSync(file, withTabs(readFileSync(file, "utf8")));
  }
}

/**
 * Declarations of tables are indented deeply: as spaces, that would be a quarter of their size.
 *
 * @param {string} text
 */
function withTabs(text) {
  return text.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}
