import { createRequire, register } from "node:module";
import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { LOADER, type LoaderData, MARK } from "./loader-source.ts";

let loads = 0;
/** Where our loader tells what it has found; absent until it is registered. */
let found: MessagePort | undefined;
/** The files of each load that our loader has found, by the number of the load. */
const filesOfLoad = new Map<string, Set<string>>();

const PACKAGES = `${sep}node_modules${sep}`;

/** A module that is being imported. */
export interface Import {
  readonly exported: Promise<unknown>;
  /** What it has imported or required so far, packages left out. */
  readonly files: () => readonly string[];
}

/** The files that loaded CommonJS has required, and they in turn, packages left out. */
function requiredBy(files: readonly string[]): readonly string[] {
  const { cache } = createRequire(import.meta.url);
  const all = new Set(files);
  for (const one of all) {
    for (const { id } of cache[one]?.children ?? []) if (!id.includes(PACKAGES)) all.add(id);
  }
  return [...all];
}

/**
 * Imports a module as it is on disk now, with what it imports relatively. Files of TypeScript need no build.
 *
 * @param before The files that belonged to the module when it was loaded before.
 * @returns a promise that rejects with whatever the module throws, or Node, which can't find or read it.
 */
export function importModule(file: string, before: readonly string[]): Import {
  const require = createRequire(import.meta.url);
  // CommonJS is remembered by path, whatever the address says.
  for (const one of requiredBy(before)) delete require.cache[one];
  if (found === undefined) {
    const { port1, port2 } = new MessageChannel();
    const data: LoaderData = {
      own: import.meta.url,
      found: port2,
    };
    register(`data:text/javascript,${encodeURIComponent(LOADER)}`, { data, transferList: [port2] });
    found = port1;
  }
  loads += 1;
  const load = String(loads);
  const url = pathToFileURL(file);
  url.searchParams.set(MARK, load);
  return { exported: import(url.href), files: () => requiredBy(filesFound(load)) };
}

function filesFound(load: string): readonly string[] {
  for (let next = found && receiveMessageOnPort(found); next; next = found && receiveMessageOnPort(found)) {
    const { mark, url }: { readonly mark: string; readonly url: string } = next.message;
    const files = filesOfLoad.get(mark) ?? new Set();
    filesOfLoad.set(mark, files.add(fileURLToPath(url)));
  }
  return [...(filesOfLoad.get(load) ?? [])];
}
