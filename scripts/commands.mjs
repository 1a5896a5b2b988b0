// Every command but `tenterhook hook`, which programs.mjs builds, and what the daemon and `hook` load late, as
// CommonJS, which Node starts fastest. What several of them share becomes files of its own, so that each command loads
// only what it needs. esbuild reads the sources and the packages, which it does quickest; Rollup makes files of the
// result, since esbuild can't split CommonJS.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { rollup } from "rollup";
import { root } from "./run.mjs";

/** Packages that export one function and take long to load. They are loaded at its first call, which most commands never make. */
const LOADED_LATE = /^(?:string-width|wrap-ansi)$/;

/**
 * What is short is read quickly, and quickest when it is ASCII. `--debug` shows stacks, and Node prints the line that
 * threw: names stay, and lines are short.
 */
export const SHORTENED = /** @type {const} */ ({
  charset: "ascii",
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
});

/** Less than that becomes part of a file that is loaded with it, if there is one. */
const FEW_BYTES = 15_000;

const ENTRIES = {
  main: "src/cli/main.ts",
  "read-config": "src/hook/read-config.ts",
  "make-with-models": "src/hook/make-with-models.ts",
};

/**
 * Builds the commands into `dist/commands`.
 *
 * @param {readonly string[]} installed packages that npm or users install, which stay outside.
 * @param {import("esbuild").Plugin} outside leaves out sources that have a built file.
 * @returns what they are made of.
 */
export async function buildCommands(installed, outside) {
  const { modules, metafile } = await asModules(installed, outside);
  const bundle = await rollup({
    input: Object.keys(ENTRIES),
    treeshake: false,
    logLevel: "warn",
    onwarn: ({ code, message }) => {
      if (code !== "UNUSED_EXTERNAL_IMPORT") throw new Error(message);
    },
    plugins: [
      {
        name: "built-modules",
        resolveId: (id) => (modules.has(basename(id, ".js")) ? basename(id, ".js") : { id, external: true }),
        load: (id) => modules.get(id),
      },
    ],
  });
  const { output } = await bundle.generate({
    format: "cjs",
    // An installation takes as long as its files are many.
    experimentalMinChunkSize: FEW_BYTES,
    entryFileNames: "[name].cjs",
    // A daemon that runs while another version is installed must find none of its files, rather than others of the same name.
    chunkFileNames: ({ moduleIds }) => `${largestOf(moduleIds, metafile)}-[hash:7].cjs`,
    // Node's module loader takes longer to start than everything else here, so imports become calls of `require`,
    // which returns a promise for what is a module.
    dynamicImportInCjs: false,
    interop: (id) => (id?.startsWith("node:") ? "default" : "esModule"),
    esModule: false,
    externalLiveBindings: false,
    freeze: false,
    hoistTransitiveImports: false,
    minifyInternalExports: true,
  });
  const folder = join(root, "dist/commands");
  mkdirSync(folder, { recursive: true });
  for (const file of output)
    if (file.type === "chunk") writeFileSync(join(folder, file.fileName), await asFunction(file.code));
  return { metafile };
}

/**
 * The name of what most of a file is made of, which `--debug` shows in stacks.
 *
 * @param {readonly string[]} names of built modules.
 * @param {import("esbuild").Metafile} metafile
 */
function largestOf(names, { outputs }) {
  const inputs = names.flatMap((name) => Object.entries(outputs[`dist/commands/${name}.js`]?.inputs ?? {}));
  const [[path = names[0] ?? ""] = []] = inputs.sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  return /node_modules\/@?([^/]+)/.exec(path)?.[1] ?? basename(path, ".ts").replace(/-[A-Z0-9]{8}$/, "");
}

/**
 * @param {readonly string[]} external
 * @param {import("esbuild").Plugin} outside
 * @returns the sources as few modules, by name, with the packages in them.
 */
async function asModules(external, outside) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: "dist/commands",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    external: [...external],
    define: { "import.meta.url": "module.url" },
    plugins: [outside, loadedLate],
    logLevel: "warning",
  });
  const modules = new Map(outputFiles.map(({ path, text }) => [basename(path, ".js"), text]));
  return { modules, metafile };
}

/** @type {import("esbuild").Plugin} */
const loadedLate = {
  name: "loaded-late",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LOADED_LATE }, ({ path, kind }) =>
      kind === "require-call" ? undefined : { path, namespace: "late" },
    );
    onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
      contents: `let load; export default (...given) => (load ??= require("${path}").default)(...given);`,
      resolveDir: root,
    }));
  },
};

/**
 * What src/hook/process/fast-require.ts loads: a function.
 *
 * @param {string} commonJs
 */
async function asFunction(commonJs) {
  const { code } = await transform(commonJs, {
    target: "node20.19",
    ...SHORTENED,
  });
  return `(function(exports,require,module,__filename,__dirname){${code}\n})`;
}
