// The declarations of the library: those that an export leads to, with what they need of packages, since users install none.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./run.mjs";

const BUILT = join(root, "dist");

/** The declarations of packages that ours name. */
const FOREIGN = new Map([
  ["@ai-sdk/provider", "node_modules/@ai-sdk/provider/dist/index.d.ts"],
  ["json-schema", "node_modules/@types/json-schema/index.d.ts"],
  ["unbash", "node_modules/unbash/dist/parser.d.ts"],
]);

const IMPORTED = /(?<=(?:from |import\()["'])[^"']+(?=["'])/g;

/**
 * Completes what the compiler has written into `dist`, and removes the declarations that no export leads to, those of the
 * command line above all.
 *
 * @param {readonly string[]} exported
 * @returns {readonly string[]} the files of packages that are now part of ours.
 */
export function completeDeclarations(exported) {
  /** By the name in `dist`, where each declaration comes from. @type {Map<string, string>} */
  const sources = new Map(exported.map((file) => [file, file]));
  const texts = [...walked(sources)];
  for (const name of readdirSync(BUILT, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts") && !sources.has(join(BUILT, name))) rmSync(join(BUILT, name));
  for (const [file, text] of texts) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...sources.values()].map((file) => relative(root, file)).filter(isForeign);
}

/**
 * Every declaration with what it imports after it.
 *
 * @param {Map<string, string>} sources gets what is found.
 */
function* walked(sources) {
  for (const [file, source] of sources) {
    const text = readFileSync(source, "utf8").replaceAll(IMPORTED, (name) => {
      const found = declarationOf(name, source);
      if (found === undefined) return name;
      const target = placeOf(found);
      sources.set(target, found);
      const path = relative(dirname(file), target).replace(/\.d\.ts$/, ".js");
      return path.startsWith(".") ? path : `./${path}`;
    });
    yield/** @type {const} */ ([file, shortened(text)]);
  }
}

/** @param {string} name @param {string} importer */
function declarationOf(name, importer) {
  const foreign = FOREIGN.get(name);
  if (foreign !== undefined) return join(root, foreign);
  return name.startsWith(".")
    ? `${resolve(dirname(importer), name.replace(/\.[jt]s$/, ""))}.d.ts`
    : undefined;
}

/** @param {string} source */
function placeOf(source) {
  const path = relative(root, source);
  return isForeign(path)
    ? join(BUILT, "packages/types", path.replace(/^node_modules\/(?:@types\/)?/, ""))
    : source;
}

/** @param {string} path */
function isForeign(path) {
  return path.startsWith("node_modules/");
}

/** Declarations are indented deeply: as spaces, that would be a quarter of their size. @param {string} text */
function shortened(text) {
  return text.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}
