import { createRequire, register } from "node:module";
import { sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { isRecord } from "../../core/base/json.ts";
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
  /** What it has imported or required so far, packages left out. Only known of what our loader has loaded. */
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
 * @param once Nothing is imported again in this process, so Node's own loader may do: to register ours takes as long as
 *   Node's start and more.
 * @returns a promise that rejects with whatever the module throws, or Node, which can't find or read it.
 */
export function importModule(file: string, before: readonly string[], once: boolean): Import {
  const require = createRequire(import.meta.url);
  // CommonJS is remembered by path, whatever the address says.
  for (const one of requiredBy(before)) delete require.cache[one];
  if (once && found === undefined && !/ts$/.test(file)) {
    const again = (error: unknown): Promise<unknown> => {
      if (!isRecord(error) || !NEEDS_LOADER.has(String(error.code))) throw error;
      return withLoader(file, require).exported;
    };
    return { exported: import(pathToFileURL(file).href).catch(again), files: () => [] };
  }
  return withLoader(file, require);
}

/** What Node says about imports that our loader understands: TypeScript, names without ending, our own package. */
const NEEDS_LOADER: ReadonlySet<string> = new Set([
  "ERR_MODULE_NOT_FOUND",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
]);

function withLoader(file: string, require: NodeJS.Require): Import {
  if (found === undefined) {
    const { port1, port2 } = new MessageChannel();
    const data: LoaderData = {
      compiler: pathToFileURL(require.resolve("@swc/wasm-typescript")).href,
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
