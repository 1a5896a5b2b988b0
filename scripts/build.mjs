// The library: the outcomes and the engine become a file each; each subpath export becomes another next to them, and what
// several share beyond that becomes chunks. Node takes as long as starting itself to load the dozen
// chunks that the engine would be split into. The programs share nothing with the library; see programs.mjs. The
// declarations stay one for each source file.
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build, transform } from "esbuild";
import { SHORTENED } from "./commands.mjs";
import { buildDashboard } from "./dashboard.mjs";
import { completeDeclarations } from "./declarations.mjs";
import { buildDoors } from "./doors.mjs";
import { licensesOf, packagesOf } from "./licenses.mjs";
import { buildPackages, NOT_HERE, PACKAGES } from "./packages.mjs";
import { buildPrograms } from "./programs.mjs";
import { root, run } from "./run.mjs";
import { sbomOf } from "./sbom.mjs";
import { buildTerminal } from "./terminal.mjs";

/**
 * @type {{
 *   name: string,
 *   version: string,
 *   license: string,
 *   exports: Record<string, string | { default: string }>,
 *   optionalDependencies: Record<string, string>,
 *   peerDependencies: Record<string, string>,
 * }}
 */
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The sources of the exports. */
const sources = [
  ...new Set(
    Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [] : [target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")],
    ),
  ),
];

/** What is ours in what users load is not minified, because Node prints the line that threw; names and lines need no source map then. */
const common = /** @satisfies {import("esbuild").BuildOptions} */ ({
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // All others become part of our files.
  external: Object.keys({ ...manifest.optionalDependencies, ...manifest.peerDependencies }),
  mainFields: ["module", "main"],
  charset: "ascii",
  logLevel: "warning",
  metafile: true,
});

const ofRoot = await modulesOf("src/index.ts");

/**
 * Parts of the library that are one file each, by the name under which package.json lets the others import them. The outcomes,
 * so that a bundle which needs only them has only them; what the root loads at once of core, and of the files directly in node,
 * which browsers don't need. Each imports only those above it.
 */
const parts = new Map([
  ["#outcomes", await modulesOf("src/core/events/outcomes.ts")],
  ["#engine", ofRoot.filter(isOfEngine)],
  ["#machine", ofRoot.filter((file) => /^src\/node\/[^/]+$/.test(file))],
]);

/** @param {string} entry */
async function modulesOf(entry) {
  const { metafile } = await build({ ...common, entryPoints: [entry], outdir: "dist", write: false });
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? [])
      if (kind === "import-statement" && external !== true) loaded.add(path);
  return [...loaded];
}

/** @param {string} file */
function isOfEngine(file) {
  // It has only types and is exported as a whole; as a part of the engine it would take all of the engine along.
  return file.startsWith("src/core/") && file !== "src/core/events/custom-events.ts";
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
    onResolve({ filter: /^[a-z:/_]+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "node" } : undefined,
    );
    onLoad({ filter: /./, namespace: "node" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}");`,
    }));
  },
};

/** A chunk with so much of others is theirs. */
const MOSTLY = 0.9;

rmSync(join(root, "dist"), { recursive: true, force: true });
/** @type {Map<string, string>} */
const ofParts = new Map();
const builtParts = [...parts].map(([name, files]) => {
  const own = files.filter((file) => !ofParts.has(file));
  const above = alreadyBuilt(new Map(ofParts));
  for (const file of own) ofParts.set(file, name);
  return build({
    ...common,
    stdin: { contents: own.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: root },
    // A name that two modules export would be missing from the part, and files that import it would not load.
    logOverride: { "ambiguous-reexport": "error" },
    outfile: `dist/${name.slice(1)}.js`,
    plugins: [above, alreadyBuilt(PACKAGES)],
  });
});
const built = await Promise.all([
  ...builtParts,
  build({
    ...common,
    entryPoints: [...sources, NOT_HERE],
    outbase: "src",
    outdir: "dist",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    plugins: [alreadyBuilt(new Map([...ofParts, ...PACKAGES])), modulesOfNode],
  }),
  // What `install` writes into agents that load plug-ins: each file is complete and readable.
  build({
    ...common,
    entryPoints: { opencode: "src/adapters/plugins/opencode/plugin.ts", pi: "src/adapters/pi/plugin.ts" },
    outdir: "dist/plugins",
  }),
  buildTerminal(common, modulesOfNode),
  ...buildPackages(common, modulesOfNode),
  ...buildPrograms(common, manifest.version, alreadyBuilt),
]);
for (const { metafile } of built)
  for (const [name, { bytes, inputs }] of Object.entries(metafile.outputs)) {
    const foreign = Object.entries(inputs).filter(([input]) => input.startsWith("node_modules/"));
    const sum = foreign.reduce((total, [, { bytesInOutput }]) => total + bytesInOutput, 0);
    if (name.startsWith("dist/chunks/") && sum > MOSTLY * bytes) await shorten(join(root, name));
  }
// Claude Code runs what it is given as it is written.
cpSync(join(root, "src/adapters/claude/mod"), join(root, "dist/plugins/claude"), {
  recursive: true,
  filter: (file) => !file.endsWith(".ts"),
});
await buildDoors();
const pageModules = await buildDashboard();
chmodSync(join(root, "dist/tenterhook.cjs"), 0o755);
// `npm run check` checks the types of the same files.
run("tsc", "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--noCheck");
const declarations = completeDeclarations(
  sources.map((file) => join(root, file.replace(/^src\/(.*)\.ts$/, "dist/$1.d.ts"))),
);
const packages = packagesOf([
  ...built.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  ...pageModules,
  ...declarations,
]);
writeFileSync(join(root, "dist/licenses.txt"), licensesOf(packages));
writeFileSync(join(root, "dist/sbom.cdx.json"), sbomOf(packages, manifest));

/**
 * Shortens the code of packages, of which nobody reads the line that threw.
 *
 * @param {string} file
 */
async function shorten(file) {
  const { code } = await transform(readFileSync(file, "utf8"), { ...SHORTENED, format: "esm" });
  writeFileSync(file, code);
}
