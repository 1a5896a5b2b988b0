// `tenterhook hook`, which agents call before every tool, as CommonJS, which Node starts fastest: a few files, each
// loaded when the one before needs it, and every module in one of them only. Vite does it, since esbuild can't split
// CommonJS.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "vite";
import { root } from "./run.mjs";

/** The agents that a row of src/adapters/agents.ts loads on demand; Claude Code's adapter is in every start. */
const AGENTS = readdirSync(join(root, "src/adapters")).filter(
  (name) => name !== "claude" && existsSync(join(root, "src/adapters", name, `${name}.ts`)),
);

/**
 * The modules that each file begins with. A file also gets what its modules import, unless a file above it has it, so
 * the order counts.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const FILES = {
  hook: ["src/hook/process/main.ts"],
  // What the engine and the shell analysis share, and most calls do not need.
  "hook-programs": [
    "src/rules/shell/programs/options.ts",
    "src/rules/shell/words/braces.ts",
    "src/rules/shell/runs.ts",
  ],
  "hook-shell": ["src/rules/shell/analyse.ts"],
  // A plain line needs no parser.
  "hook-parser": ["unbash"],
  "hook-conditions": ["src/handlers/rule-conditions.ts"],
  // What every hook needs that is not made of rules.
  "hook-others": [
    "src/hook/duplicate-calls.ts",
    "src/handlers/reply/read-reply.ts",
    "src/handlers/reply/read-native.ts",
    "src/handlers/native-text.ts",
    "src/handlers/module/loader-source.ts",
    "src/node/process/marker.ts",
  ],
  "hook-command": [
    "src/handlers/command/command.ts",
    "src/node/process/output.ts",
    "src/node/process/run-program.ts",
    "src/node/process/start-program.ts",
  ],
  "hook-persistent": ["src/handlers/persistent/persistent.ts"],
  "hook-sandbox": ["src/node/sandbox/sandbox.ts"],
  "hook-http": ["src/handlers/http/http.ts"],
  "hook-module": [
    "src/handlers/module/module.ts",
    "src/handlers/module/module-process.ts",
    "src/handlers/module/run-module.ts",
  ],
  "hook-permissions": ["src/hook/permission-hook.ts"],
  "hook-rare": [
    "src/hook/process/start-async.ts",
    "src/hook/report-event.ts",
    "src/hook/human-prompt.ts",
    "src/hook/process/start-daemon.ts",
  ],
  // It runs commands, which reports to the monitor must not load.
  "hook-stop": ["src/hook/stop-trigger.ts"],
  "hook-regex": ["re2js"],
  // What the model calls of a turn used, which few events need.
  "hook-usage": [
    "src/hook/usage/usage-of.ts",
    ...readdirSync(join(root, "src/adapters"))
      .map((name) => `src/adapters/${name}/usage.ts`)
      .filter((file) => existsSync(join(root, file))),
  ],
  // What the agents share that ask through a plug-in of ours.
  "hook-plugins": ["src/adapters/plugins/plugin-table.ts", "src/adapters/plugins/opencode/table.ts"],
  ...Object.fromEntries(AGENTS.map((name) => [`hook-${name}`, [`src/adapters/${name}/${name}.ts`]])),
};

/** What is loaded on demand and is no part of the hot path: it is built with the commands. */
const ELSEWHERE = new Map(
  Object.entries({
    "src/hook/read-config.ts": "./commands/read-config.cjs",
    "src/hook/make-with-models.ts": "./commands/make-with-models.cjs",
    // In the table of agents, which the hot path reads too; it never calls for them.
    ...Object.fromEntries(
      ["claude", ...AGENTS].map((name) => [`src/adapters/${name}/bridge.ts`, "./commands/main.cjs"]),
    ),
  }),
);

/** @type {import("vite").Plugin} */
const elsewhere = {
  name: "elsewhere",
  resolveDynamicImport(specifier, importer) {
    if (typeof specifier !== "string") return null;
    const file = resolve(dirname(importer), specifier).slice(root.length);
    const id = ELSEWHERE.get(file);
    return id === undefined ? null : { id, external: true };
  },
};

/**
 * Each file as src/hook/process/fast-require.ts loads it: the function it runs, so that nothing need be put around a long text
 * at every start.
 *
 * @type {import("vite").Plugin}
 */
const loadedFast = {
  name: "loaded-fast",
  generateBundle(_, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type !== "chunk" || FILES[file.name] === undefined)
        throw new Error(
          `${name} belongs to no file of the hot path: name it in the table of scripts/hot-path.mjs.`,
        );
      file.code = `(function(exports,require,module,__filename,__dirname){${file.code}\n})`;
    }
  },
};

/**
 * Builds the hot path into `dist`.
 *
 * @returns the files it is made of.
 */
export async function buildHotPath() {
  const built = await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    // Read quickest when it is ASCII.
    esbuild: { charset: "ascii" },
    define: { "import.meta.url": "module.url" },
    // unbash and re2js are in their files: to find a package takes longer than to read it.
    ssr: { noExternal: true },
    plugins: [elsewhere, loadedFast],
    build: {
      ssr: true,
      target: "node20.19",
      outDir: "dist",
      emptyOutDir: false,
      minify: "esbuild",
      rollupOptions: {
        input: { hook: join(root, "src/hook/process/main.ts") },
        output: {
          format: "cjs",
          entryFileNames: "[name].cjs",
          chunkFileNames: "[name].cjs",
          manualChunks: Object.fromEntries(
            Object.entries(FILES).map(([name, modules]) => [
              name,
              modules.map((module) => (module.startsWith("src/") ? join(root, module) : module)),
            ]),
          ),
          // Node's module loader takes longer to start than everything else here, so imports become calls of `require`,
          // which returns a promise for what is a module.
          dynamicImportInCjs: false,
          interop: "esModule",
          esModule: false,
          externalLiveBindings: false,
          freeze: false,
          hoistTransitiveImports: false,
          minifyInternalExports: true,
        },
      },
    },
  });
  if (!("output" in built)) throw new Error("Vite built several outputs, or watches.");
  return built.output.flatMap((file) =>
    file.type === "chunk" ? file.moduleIds.map((id) => relative(root, id)) : [],
  );
}
