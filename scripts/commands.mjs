// Every command but `tenterhook hook`, which hot-path.mjs builds, and what the daemon and the slow path of `hook` run, as
// CommonJS, which Node starts fastest. What several of them share becomes files of its own, so that each command loads
// only what it needs. esbuild reads the sources and the packages, which it does quickest; Rollup makes files of the
// result, since esbuild can't split CommonJS.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { rollup } from "rollup";
import { root } from "./run.mjs";

/** Packages that stay outside: providers of models, whose fixes must not wait for our releases, and optional ones. */
const INSTALLED = [
  "@ai-sdk/anthropic",
  "@ai-sdk/google",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@modelcontextprotocol/sdk",
  "@opentelemetry/api",
  "@photostructure/sqlite",
];

/** Packages that export one function and take long to load. They are loaded at its first call, which most commands never make. */
const LOADED_LATE = /^(?:string-width|wrap-ansi)$/;

const ENTRIES = {
  main: "src/cli/main.ts",
  "slow-path": "src/cli/hook/slow-path.ts",
  served: "src/cli/hook/served/main.ts",
};

/**
 * Builds the commands into `dist/commands`.
 *
 * @returns what they are made of.
 */
export async function buildCommands() {
  const { modules, metafile } = await asModules();
  const bundle = await rollup({
    input: Object.keys(ENTRIES),
    treeshake: false,
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
    entryFileNames: "[name].cjs",
    chunkFileNames: (chunk) => `${chunk.name.replace(/-[A-Z0-9]{8}$/, "")}.cjs`,
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
  mkdirSync(folder);
  for (const file of output)
    if (file.type === "chunk") writeFileSync(join(folder, file.fileName), await asFunction(file.code));
  return metafile;
}

/** @returns the sources as few modules, by name, with the packages in them. */
async function asModules() {
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
    external: INSTALLED,
    define: { "import.meta.url": "module.url" },
    plugins: [loadedLate],
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
 * What src/cli/hook/startup/fast-require.ts loads: a function.
 *
 * @param {string} commonJs
 */
async function asFunction(commonJs) {
  const { code } = await transform(commonJs, {
    target: "node20.19",
    // Read quickest when it is ASCII.
    charset: "ascii",
    // `--debug` shows stacks, and Node prints the line that threw: names stay, and lines are short.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
  });
  return `(function(exports,require,module,__filename,__dirname){${code}\n})`;
}
