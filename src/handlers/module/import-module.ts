import { createRequire, register } from "node:module";
import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { needNoLoader } from "../../node/files/module-files.ts";
import { LOADER, type LoaderData, MARK } from "./loader-source.ts";

let loads = 0;
let registered = false;

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * The files that loaded CommonJS has required, and they in turn, packages left out: their text does not tell all of
 * them, a folder's own main file for one.
 */
export function requiredBy(files: readonly string[]): readonly string[] {
  const { cache } = createRequire(import.meta.url);
  const found = new Set(files);
  for (const one of found) {
    for (const { id } of cache[one]?.children ?? []) if (!id.includes(PACKAGES)) found.add(id);
  }
  return [...found].slice(new Set(files).size);
}

/**
 * Imports a module as it is on disk now, with what it imports relatively. Files of TypeScript need no build.
 *
 * @param files The module and what belongs to it.
 * @param once Nothing is imported again in this process, so Node's own loader will do for plain JavaScript: to register
 *   ours takes as long as Node's start and more.
 * @throws whatever the module throws, or Node, which can't find or read it.
 */
export function importModule(file: string, files: readonly string[], once: boolean): Promise<unknown> {
  const require = createRequire(import.meta.url);
  if (!registered && !(once && needNoLoader(files))) {
    registered = true;
    const data: LoaderData = {
      compiler: pathToFileURL(require.resolve("@swc/wasm-typescript")).href,
      own: import.meta.url,
    };
    register(`data:text/javascript,${encodeURIComponent(LOADER)}`, { data });
  }
  // CommonJS is remembered by path, whatever the address says.
  for (const one of [...files, ...requiredBy(files)]) delete require.cache[one];
  loads += 1;
  const url = pathToFileURL(file);
  url.searchParams.set(MARK, String(loads));
  return import(url.href);
}
