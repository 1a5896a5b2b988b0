import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";
import { LOADER, type LoaderData, MARK } from "./loader-source.ts";

let loads = 0;
let registered = false;

/**
 * Imports a module as it is on disk now, with what it imports relatively. Files of TypeScript need no build.
 *
 * @param files The module and what belongs to it.
 * @throws whatever the module throws, or Node, which can't find or read it.
 */
export function importModule(file: string, files: readonly string[]): Promise<unknown> {
  const require = createRequire(import.meta.url);
  if (!registered) {
    registered = true;
    const data: LoaderData = {
      compiler: pathToFileURL(require.resolve("@swc/wasm-typescript")).href,
      own: import.meta.url,
    };
    register(`data:text/javascript,${encodeURIComponent(LOADER)}`, { data });
  }
  // CommonJS is remembered by path, whatever the address says.
  for (const one of files) delete require.cache[one];
  loads += 1;
  const url = pathToFileURL(file);
  url.searchParams.set(MARK, String(loads));
  return import(url.href);
}
