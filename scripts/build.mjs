// Four steps. The engine (core and node) becomes one file; each subpath export becomes another beside it, and what
// several exports share beyond the engine becomes chunks. Loading sixty small modules, or the dozen chunks they would
// be split into, takes Node as long as starting itself. The command line, which stands on the exports, comes last, each
// command in a file of its own; `tenterhook hook`, which agents call before every tool, is CommonJS with next to nothing
// in it, since that is what Node starts fastest. The declarations stay one for each source file.
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root, run } from "./run.mjs";

/** @type {{ exports: Record<string, string | { default: string }> }} */
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const entryPoints = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")],
);

/** Entry files that put other exports together. Built with those, they would pull them apart into chunks. */
const COMBINED = ["src/open.ts"];

/** The folders of the engine, and how package.json lets the other files import what they became. */
const ENGINE_FOLDERS = ["core", "node"].map((folder) => join(root, "src", folder));
const ENGINE = "#engine";

const common = /** @satisfies {import("esbuild").BuildOptions} */ ({
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  packages: "external",
  charset: "utf8",
  minifyWhitespace: true,
  logLevel: "warning",
});

/** @type {import("esbuild").Plugin} */
const engineIsBuilt = {
  name: "engine-is-built",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const folder = dirname(resolve(dirname(importer), path));
      return ENGINE_FOLDERS.includes(folder) ? { path: ENGINE, external: true } : undefined;
    });
  },
};

/** The subpath of each entry file: what the command line shares with library users is loaded once, by the same name. */
const subpaths = new Map(
  Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === "string"
      ? []
      : [
          [
            join(root, target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")),
            `tenterhook${subpath.slice(1)}`,
          ],
        ],
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
const engineModules = ENGINE_FOLDERS.flatMap((folder) =>
  // Folders in them are parts that are loaded when they are needed, so they stay outside.
  readdirSync(folder).flatMap((name) => (name.endsWith(".ts") ? [join(folder, name)] : [])),
);
await build({
  ...common,
  stdin: {
    contents: engineModules.map((file) => `export * from ${JSON.stringify(file)};`).join("\n"),
    resolveDir: root,
    sourcefile: "engine.ts",
  },
  outfile: "dist/engine.js",
});
await build({
  ...common,
  entryPoints: entryPoints.filter((file) => !COMBINED.includes(file)),
  outbase: "src",
  outdir: "dist",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  plugins: [engineIsBuilt],
});
await build({
  ...common,
  entryPoints: [
    { in: "src/cli/main.ts", out: "cli" },
    { in: "src/cli/hook/rest.ts", out: "hook-rest" },
    ...COMBINED.map((file) => ({ in: file, out: file.replace(/^src\/(.*)\.ts$/, "$1") })),
  ],
  outdir: "dist",
  splitting: true,
  chunkNames: "commands/[name]-[hash]",
  plugins: [exportsAreBuilt, engineIsBuilt],
});

/** The files of the hot path, each loaded when the one before needs it: what they are made of, by their names in dist. */
const HOT_PATH = {
  "tenterhook.cjs": "src/cli/bin.ts",
  "hook.cjs": "src/cli/hook/main.ts",
  "hook-engine.cjs": "src/cli/hook/decide.ts",
  "hook-beside.cjs": "src/cli/hook/beside.ts",
  "hook-claim.cjs": "src/cli/hook/claim.ts",
  "hook-prompt.cjs": "src/cli/hook/prompted.ts",
  "hook-shell.cjs": "src/rules/kept-shell.ts",
  "hook-regex.cjs": "re2js",
};

/** What is loaded on demand, by the path it is imported by, and the file it is in. */
const ON_DEMAND = new Map([
  ["./main.ts", "./cli.js"],
  ["./decide.ts", "./hook-engine.cjs"],
  ["./beside.ts", "./hook-beside.cjs"],
  ["./claim.ts", "./hook-claim.cjs"],
  ["./prompted.ts", "./hook-prompt.cjs"],
  ["./rest.ts", "./hook-rest.js"],
  ["./hook/rest.ts", "./hook-rest.js"],
  ["./shell/analyse.ts", "./hook-shell.cjs"],
  ["../../rules/kept-shell.ts", "./hook-shell.cjs"],
  ["re2js", "./hook-regex.cjs"],
  // In the table of agents, which the hot path reads too; it never calls for it.
  ["../adapters/claude/bridge.ts", "./cli.js"],
]);

/** @type {import("esbuild").Plugin} */
const onDemand = {
  name: "on-demand",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      const file = kind === "dynamic-import" ? ON_DEMAND.get(path) : undefined;
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
};

for (const [name, entry] of Object.entries(HOT_PATH)) {
  const outfile = join(root, "dist", name);
  await build({
    ...common,
    entryPoints: [entry],
    outfile,
    format: "cjs",
    minify: true,
    charset: "ascii",
    // unbash and re2js are in their files: to find a package takes longer than to read it.
    packages: "bundle",
    define: { "import.meta.url": "__filename" },
    plugins: [onDemand],
  });
  const text = readFileSync(outfile, "utf8");
  writeFileSync(outfile, name === "tenterhook.cjs" ? `#!/usr/bin/env node\n${text}` : loadedFast(text));
}

/**
 * A file as src/cli/hook/fast-require.ts loads it: the function it runs, so that nothing need be put around a long text
 * at every start. In it a require stands instead of Node's loader of modules, which takes longer to start than everything
 * else here; for the one module among them it answers a promise.
 *
 * @param {string} text
 */
function loadedFast(text) {
  const required = text.replaceAll(/import\(("[^"]+")\)/g, "Promise.resolve().then(()=>require($1))");
  return `(function(exports,require,module,__filename,__dirname){${required}\n})`;
}
chmodSync(join(root, "dist/tenterhook.cjs"), 0o755);
copyFileSync(join(root, "src/cli/hook/client.sh"), join(root, "dist/tenterhook-client.sh"));
chmodSync(join(root, "dist/tenterhook-client.sh"), 0o755);
run("tsc", "-p", "tsconfig.build.json", "--emitDeclarationOnly");
