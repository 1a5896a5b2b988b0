import { statSync } from "node:fs";
import { importsOf } from "./module-imports.ts";
import { realPath } from "./real-path.ts";
import { regularText } from "./regular-file.ts";

/** A module with this many files may have more, which are not looked for. */
export const MOST_FILES = 200;
const MOST_BYTES = 5_000_000;
/** What Node and our loader try after a name: `require` and `import` not in the same order. */
const ENDINGS = [".ts", ".js", ".json", ".node", ".cjs", ".mjs"].flatMap((end) => [end, `/index${end}`]);

/**
 * A module and the files it imports relatively, recursively, as far as their text tells: links and where they lead, and
 * all that a name without its ending can mean. `missing` is called with every path that would count if it were a file.
 */
export function filesOf(file: string, missing?: (path: string) => void): readonly string[] {
  const files = new Set([file, realPath(file) ?? file]);
  for (const one of files) {
    const { paths, packages } = importsOf(one, textOf(one));
    for (const path of [...paths.flatMap(spellings), ...packages]) {
      if (!isFile(path)) missing?.(path);
      else if (files.size < MOST_FILES) files.add(path).add(realPath(path) ?? path);
    }
  }
  return [...files];
}

/**
 * True for JavaScript that Node loads as it is written: whatever is imported relatively is named in full, nothing is
 * imported by a name that the text does not tell, and nothing is this package, which the project need not have.
 */
export function needNoLoader(files: readonly string[]): boolean {
  if (files.length >= MOST_FILES) return false;
  return files.every((file) => {
    if (!/\.(?:[cm]?js|json)$/.test(file)) return false;
    const text = textOf(file);
    const { relative, computed } = importsOf(file, text);
    return text !== "" && !computed && !/["'`]tenterhook["'`/]/.test(text) && relative.every(isFile);
  });
}

/** The files among these that import by names which are known only when they run, or are too long to look at. */
export function computedImports(files: readonly string[]): readonly string[] {
  return files.filter((file) => importsOf(file, textOf(file)).computed || isTooLong(file));
}

function isTooLong(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file) && isFile(file) && statSync(file).size > MOST_BYTES;
}

/** Changes whenever one of the files does. */
export function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join(" ");
}

/** Never throws: the text of a module can name anything. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** The files that the name of an import can mean: only itself if there is such a file. */
function spellings(path: string): readonly string[] {
  if (isFile(path)) return [path];
  return [path, path.replace(/js$/, "ts"), `${path}/package.json`, ...ENDINGS.map((ending) => path + ending)];
}

function stampOfFile(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(":");
  } catch {
    return "none";
  }
}

function textOf(file: string): string {
  return regularText(file, MOST_BYTES) ?? "";
}
