// The programs of the package, as CommonJS, which Node starts fastest: its loader for modules takes longer to start than
// everything else here. src/hook/process/fast-require.ts loads all but the first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { buildCommands, SHORTENED } from "./commands.mjs";
import { PACKAGES } from "./packages.mjs";
import { root } from "./run.mjs";
import { TERMINAL } from "./terminal.mjs";

/** What `tenterhook hook` runs before every tool: one file, with all that a call with a cached configuration needs. */
const HOOK = "src/hook/process/main.ts";

/** What the hook loads on demand: reads the files of a configuration, asks models. In its file, every call would start 20 ms later. */
const LATER = {
  "read-config": "src/hook/read-config.ts",
  "make-with-models": "src/hook/make-with-models.ts",
};

/** Makes every `import()` a call of `require`, which starts no loader for what is one of our files. */
const required = /** @type {const} */ ({ format: "cjs", supported: { "dynamic-import": false } });

/**
 * @param {import("esbuild").BuildOptions & { external: string[], metafile: true }} common
 * @param {string} version
 * @param {(built: ReadonlyMap<string, string>) => import("esbuild").Plugin} alreadyBuilt
 */
export function buildPrograms(common, version, alreadyBuilt) {
  const program = { ...common, define: { "import.meta.url": "module.url" } };
  const later = new Map(Object.entries(LATER).map(([name, file]) => [file, `./commands/${name}.cjs`]));
  return [
    build({
      ...common,
      entryPoints: ["src/cli/bin.ts"],
      outfile: "dist/tenterhook.cjs",
      format: "cjs",
      minify: false,
      // What a shell reads of the program; for Node it is a comment.
      banner: {
        js: readFileSync(join(root, "src/hook/process/client.sh"), "utf8")
          .replace("@VERSION@", version)
          .trimEnd(),
      },
    }),
    build({
      ...program,
      ...required,
      entryPoints: [HOOK],
      outfile: "dist/hook.cjs",
      ...SHORTENED,
      banner: { js: BEFORE },
      footer: { js: AFTER },
      plugins: [alreadyBuilt(new Map([...later, ...PACKAGES]))],
    }),
    buildCommands(common.external, alreadyBuilt(new Map([...TERMINAL, ...PACKAGES]))),
  ];
}

/** A file is one function, so that nothing need be put around a long text at every start. */
const BEFORE = "(function(exports,require,module,__filename,__dirname){";
const AFTER = "})";
