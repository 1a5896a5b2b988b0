import { statSync } from "node:fs";
import { importsOf } from "./module-imports.ts";
import { realPath } from "./real-path.ts";
import { regularText } from "./regular-file.ts";

const MOST_FILES = 200;
const MOST_BYTES = 5_000_000;
/** The suffixes that Node and our loader try, in order. */
const ENDINGS = [".ts", ".js", ".json", ".cjs", ".mjs", "/index.ts", "/index.js", "/index.json"];

/**
 * A module and the files it imports relatively, recursively, as far as their text tells, with links resolved. Skips
 * missing files; `missing` is called with every path that was tried.
 */
export function filesOf(file: string, missing?: (path: string) => void): readonly string[] {
  const files = new Set([file, realPath(file) ?? file]);
  for (const one of files) {
    for (const path of importsOf(one, textOf(one)).paths) {
      const paths = spellings(path);
      const found = paths.find(isFile);
      if (found === undefined && missing !== undefined) paths.forEach(missing);
      if (found !== undefined && files.size < MOST_FILES) files.add(realPath(found) ?? found);
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

/** The files among these that import by names which are known only when they run. */
export function computedImports(files: readonly string[]): readonly string[] {
  return files.filter((file) => importsOf(file, textOf(file)).computed);
}

/** Changes whenever one of the files does. */
export function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join(" ");
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function spellings(path: string): readonly string[] {
  return [path, path.replace(/js$/, "ts"), ...ENDINGS.map((ending) => path + ending)];
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
