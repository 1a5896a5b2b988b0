import { mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import type { Plugin } from "vitest/config";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = join(ROOT, "src/");
/** Beside the sources, so that the package's name and folder are found from here, too. */
const COMPILED = join(ROOT, "compiled/");

const OPTIONS = {
  outdir: COMPILED,
  outbase: SOURCES,
  bundle: true,
  treeShaking: false,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20.19",
  jsx: "automatic",
  sourcemap: "inline",
  write: false,
  plugins: [
    {
      name: "one-file-for-each-source",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\./ }, ({ path, kind }) =>
          kind === "entry-point" ? undefined : { path: path.replace(/\.tsx?$/, ".js"), external: true },
        ),
    },
  ],
} satisfies BuildOptions;

/**
 * Has tests import the sources, and the package by its name, from files that are compiled once for all workers and for
 * later runs. Node loads them as it loads the built ones. Loaded by Vitest, a worker would wait seconds for them, and each
 * `import()` would walk through all of them.
 */
export async function compiledSources(): Promise<Plugin> {
  await compile();
  return {
    name: "compiled-sources",
    enforce: "pre",
    config: () => ({ test: { server: { deps: { external: [/\/compiled\//] } } } }),
    resolveId: (id, importer = "") => {
      const [isPackage, entry = "index"] = /^tenterhook(?:\/(\w+))?$/.exec(id) ?? [];
      const path = isPackage ? join(SOURCES, `${entry}.ts`) : resolve(dirname(importer), id);
      const name = relative(SOURCES, path);
      return isSource(name) ? { id: compiledFile(name), external: true } : undefined;
    },
    configureServer: ({ watcher }) => {
      watcher.on("change", (file) => isSource(relative(SOURCES, file)) && void compile());
    },
  };
}

/** True for the name of a source in `src/`. The page is for browsers: Vitest loads what tests import of it. */
function isSource(name: string): boolean {
  return !/^(?:\.\.|dashboard)\//.test(name) && /(?<!\.d)\.[jt]sx?$/.test(name);
}

/** The compiled file of a source, by its name in `src/`. */
export function compiledFile(name: string): string {
  return join(COMPILED, name.replace(/\.tsx?$/, ".js"));
}

/** Compiles what has changed: a compiled file has the time of its source. */
async function compile(): Promise<void> {
  const stale = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter(isSource)
    .map((name) => ({ name, file: compiledFile(name), time: timeOf(join(SOURCES, name)) }))
    .filter(({ file, time }) => timeOf(file) !== time);
  if (stale.length === 0) return;
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: stale.map(({ name }) => join(SOURCES, name)),
  });
  const texts = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  for (const { file, time = 0 } of stale) {
    mkdirSync(dirname(file), { recursive: true });
    // Another run may be reading it.
    const part = `${file}.${process.pid}`;
    writeFileSync(part, texts.get(file) ?? "");
    utimesSync(part, time / 1000, time / 1000);
    renameSync(part, file);
  }
}

/** In whole milliseconds, as far as a time survives being copied. */
function timeOf(file: string): number | undefined {
  const time = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return time === undefined ? undefined : Math.round(time);
}
