import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * Tells which source file a function of a bundled program is from, by its place.
 *
 * @param {string} program
 */
export function sourcesIn(program) {
  const sources = [...program.matchAll(/^ *\/\/ ((?:src|node_modules)\/\S+)$/gm)].reverse();
  return (/** @type {number} */ place) => sources.find(({ index }) => index <= place)?.[1] ?? "";
}

/**
 * Prints our source files of functions that have run, each with its lines and the functions. Returns how many there are.
 *
 * @param {string} program
 * @param {readonly { readonly functionName: string, readonly at: number }[]} functions
 * @param {RegExp} [leftOut] files that do not count.
 */
export function printFiles(program, functions, leftOut) {
  const sources = sourcesIn(program);
  /** @type {Map<string, Set<string>>} */
  const walk = new Map();
  for (const { functionName: name, at } of functions) {
    const file = sources(at);
    // A function that is named like a file loads it.
    if (!file.startsWith("src/") || name.startsWith("src/") || leftOut?.test(file) === true) continue;
    walk.set(file, (walk.get(file) ?? new Set()).add(name));
  }
  for (const [file, names] of [...walk].sort()) {
    const lines = readFileSync(join(root, file), "utf8").split("\n").length - 1;
    console.log(
      `${String(lines).padStart(4)} ${file}: ${[...names].filter((name) => name !== "").join(" ")}`,
    );
  }
  return walk.size;
}
