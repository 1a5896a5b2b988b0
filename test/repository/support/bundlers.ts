import { isBuiltin } from "node:module";
import { join } from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import * as vite from "vite";

/** Where a bundle is to run. */
export type Platform = "node" | "browser";

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
      platform,
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
          platform === "node" ? { exportConditions: ["node"], preferBuiltins: true } : { browser: true },
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
      ...(platform === "node" ? { ssr: { noExternal: true, target: "node" } } : {}),
      build: {
        outDir: out,
        emptyOutDir: false,
        ssr: platform === "node",
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
};
