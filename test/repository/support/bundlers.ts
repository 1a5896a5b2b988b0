import { builtinModules, createRequire, isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import * as vite from "vite";
import { installPackage, isInstalled } from "../../support/install-package.ts";
import { ROOT } from "./files.ts";

/** Where a bundle is to run. Workers have modules of Node, or what stands for these. */
export type Platform = "node" | "browser" | "worker";

/** Bundles files of a user's project into a folder, each as a module of its name, and returns the warnings. */
export type Bundler = (work: {
  readonly project: string;
  readonly programs: readonly string[];
  readonly out: string;
  readonly platform: Platform;
}) => Promise<readonly string[]>;

/** Warnings about files of other packages: circles of imports, and comments in the wrong place. */
function isOfPackage({ code }: { readonly code?: string | undefined }): boolean {
  return ["CIRCULAR_DEPENDENCY", "THIS_IS_UNDEFINED", "INVALID_ANNOTATION"].includes(code ?? "");
}

/** The bundlers, set up as their guides say. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  esbuild: async ({ project, programs, out, platform }) => {
    const { warnings } = await esbuild.build({
      absWorkingDir: project,
      entryPoints: programs.map((file) => join(project, file)),
      bundle: true,
      format: "esm",
      ...(platform === "worker"
        ? {
            platform: "neutral",
            conditions: ["worker"],
            mainFields: ["module", "main"],
            external: ["node:*"],
          }
        : { platform }),
      outdir: out,
      outExtension: { ".js": ".mjs" },
      logLevel: "silent",
    });
    return warnings.map(({ text }) => text);
  },
  rollup: async ({ project, programs, out, platform }) => {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: programs.map((file) => join(project, file)),
      external: (id) => isBuiltin(id),
      plugins: [
        nodeResolve(
          platform === "browser" ? { browser: true } : { exportConditions: [platform], preferBuiltins: true },
        ),
      ],
      onwarn: (warning) => {
        if (!isOfPackage(warning)) warnings.push(warning.message);
      },
    });
    await bundle.write({
      dir: out,
      format: "es",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[hash].mjs",
    });
    await bundle.close();
    return warnings;
  },
  vite: async ({ project, programs, out, platform }) => {
    const warnings: string[] = [];
    await vite.build({
      root: project,
      configFile: false,
      logLevel: "silent",
      ...(platform === "browser"
        ? {}
        : {
            ssr: {
              noExternal: true,
              external: builtinModules.map((name) => `node:${name}`),
              target: platform === "node" ? "node" : "webworker",
              resolve: { conditions: [platform], externalConditions: [platform] },
            },
          }),
      build: {
        outDir: out,
        emptyOutDir: false,
        ssr: platform !== "browser",
        minify: false,
        modulePreload: false,
        target: "esnext",
        rollupOptions: {
          // Rollup's own run removes what is not used. Here it would take half a minute more.
          treeshake: false,
          input: programs.map((file) => join(project, file)),
          preserveEntrySignatures: "strict",
          output: { entryFileNames: "[name].mjs", chunkFileNames: "[hash].mjs" },
          onwarn: (warning) => {
            if (!isOfPackage(warning)) warnings.push(warning.message);
          },
        },
      },
    });
    return warnings;
  },
  webpack: async ({ project, programs, out, platform }) => {
    const webpack = installedWebpack();
    const stats: unknown = await promisify(webpack)({
      context: project,
      mode: "production",
      target: platform === "browser" ? "web" : platform === "worker" ? "webworker" : "node20",
      entry: Object.fromEntries(programs.map((file) => [basename(file, ".mjs"), join(project, file)])),
      experiments: { outputModule: true },
      externalsPresets: { node: platform !== "browser" },
      externalsType: "module",
      optimization: { minimize: false },
      performance: false,
      output: {
        path: out,
        filename: "[name].mjs",
        chunkFilename: "[name].mjs",
        module: true,
        chunkFormat: "module",
        library: { type: "module" },
      },
    });
    return problemsOf(stats);
  },
};

const WEBPACK = { package: "webpack", version: "5.112.2", program: "node_modules/webpack/lib/index.js" };

/** Webpack, which is installed once for all runs: it brings eighty packages. */
function installedWebpack(): (options: object, callback: (error: unknown, stats: unknown) => void) => void {
  const folder = join(ROOT, "node_modules/.cache/tenterhook-bundlers");
  if (!isInstalled(WEBPACK, folder)) installPackage(WEBPACK, folder, { options: ["--prefer-offline"] });
  return createRequire(join(folder, "package.json"))("webpack");
}

function problemsOf(stats: unknown): readonly string[] {
  const { errors = [], warnings = [] } = (stats as { toJson(options: object): Problems }).toJson({
    all: false,
    errors: true,
    warnings: true,
  });
  return [...errors, ...warnings].map(({ message }) => message);
}

interface Problems {
  readonly errors?: readonly { readonly message: string }[];
  readonly warnings?: readonly { readonly message: string }[];
}
