import { createRequire, register } from "node:module";
import { extname, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { errorMessage, errorText } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import { stampOf } from "../../node/files/file-stamp.ts";
import { realPath } from "../../node/files/real-path.ts";
import { isFile } from "../../node/process/find-program.ts";
import { checkTrust, type HandlerContext, type HandlerSettings } from "../handler.ts";
import { LOADER, type LoaderData, MARK } from "../module-loader.ts";

type HookFunction = (event: AnyEvent, context: HookContext) => unknown;

interface Loaded {
  files: readonly string[];
  stamp: string;
  readonly loading: Promise<HookFunction>;
  run?: HookFunction;
  /** After a failure: when to retry even if no file has changed. */
  retry_at?: number;
}

const SUFFIXES = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
const LONGEST_LOAD_MS = 10_000;
/** The first retries come with the next event, later ones after longer pauses: Node never unloads a module. */
const RETRIES_AT_ONCE = 3;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/**
 * A hook whose function is in a file: its default export, or its export `hook`. The file is loaded when the hook is
 * added, and again at the first event after it, or a file it imports relatively, has changed. One that does not load
 * fails the hook and is tried again; the function that worked before is not used any more.
 *
 * @throws TenterhookError `invalid_option` for a file that is neither JavaScript nor TypeScript.
 */
export async function moduleHandler(
  settings: HandlerSettings<"module">,
  { site }: Pick<HandlerContext, "site">,
): Promise<Handler> {
  const file = moduleFile(settings, site);
  let failures = 0;
  const loadTrusted = (before: readonly string[]): Loaded =>
    load(file, { before, failed: () => failures++, ...site });
  let loaded = loadTrusted([]);
  const problem = await loaded.loading.then(() => undefined, errorMessage);
  return {
    type: "module",
    problem,
    run(event, context) {
      const changed = stampOf(loaded.files) !== loaded.stamp;
      if (changed) failures = 0;
      if (changed || (loaded.retry_at ?? Number.POSITIVE_INFINITY) <= performance.now())
        loaded = loadTrusted(loaded.files);
      const current = loaded;
      /** What was loaded may be another file than the one that is trusted, if it changed meanwhile. */
      const checked = async (reply: unknown): Promise<unknown> => {
        const answer = await reply;
        const changedMeanwhile = stampOf(current.files) !== current.stamp;
        if (changedMeanwhile) checkTrust(site);
        return answer;
      };
      // Waiting for what is there already would cost every event.
      if (loaded.run !== undefined)
        return site.refusal === undefined ? loaded.run(event, context) : checked(loaded.run(event, context));
      return loaded.loading.then((run) => checked(run(event, context)));
    },
  };
}

/** @throws TenterhookError `invalid_option` for a file that is neither JavaScript nor TypeScript. */
export function moduleFile({ module }: HandlerSettings<"module">, { root }: HandlerContext["site"]): string {
  const file = resolve(root, module);
  if (SUFFIXES.includes(extname(file))) return file;
  throw new TenterhookError("invalid_option", `module must end with ${SUFFIXES.join(", ")}.`);
}

interface Load extends Pick<HandlerContext["site"], "refusal"> {
  /** The files it was loaded from before. */
  readonly before: readonly string[];
  /** Counts a failure and returns how many there were before. */
  readonly failed: () => number;
}

/** Loads the module unless it is no longer what is trusted. */
function load(file: string, { before, failed, refusal }: Load): Loaded {
  const own = [...new Set([file, realPath(file) ?? file])];
  const stamp = stampOf(own);
  const refused = refusal?.();
  const imported =
    refused === undefined && isFile(file) ? importModule(file, [...own, ...before]) : undefined;
  const loading =
    refused === undefined
      ? inTime(functionOf(file, imported), file)
      : Promise.reject(new HookFailureError("untrusted", refused));
  const loaded: Loaded = { files: own, stamp, loading };
  const watch = (): void => {
    const more = imported?.files().filter((one) => !own.includes(one)) ?? [];
    loaded.files = [...own, ...more];
    if (more.length > 0) loaded.stamp = `${stamp} ${stampOf(more)}`;
  };
  loading.then(
    (run) => {
      watch();
      loaded.run = run;
    },
    () => {
      watch();
      loaded.retry_at = performance.now() + pauseAfter(failed());
    },
  );
  return loaded;
}

async function functionOf(file: string, imported: Import | undefined): Promise<HookFunction> {
  if (imported === undefined) throw new HookFailureError("missing", `There is no file ${file}.`);
  const exported = await imported.exported.catch((error: unknown) => {
    const missing = isRecord(error) && error.code === "ERR_MODULE_NOT_FOUND";
    throw new HookFailureError(missing ? "missing" : "error", `${file} does not load: ${errorText(error)}`);
  });
  const found = isRecord(exported) ? [exported.default, exported.hook].find(isFunction) : undefined;
  if (found !== undefined) return found;
  throw new HookFailureError(
    "error",
    `${file} exports no function: expected a default export, or one named hook.`,
  );
}

function pauseAfter(failures: number): number {
  if (failures < RETRIES_AT_ONCE) return 0;
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - RETRIES_AT_ONCE), LONGEST_PAUSE_MS);
}

function isFunction(value: unknown): value is HookFunction {
  return typeof value === "function";
}

/** A module with a slow top-level await must not delay the caller forever. */
function inTime(loading: Promise<HookFunction>, file: string): Promise<HookFunction> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new HookFailureError("timeout", `${file} has not loaded within ${LONGEST_LOAD_MS / 1000} s.`));
    }, LONGEST_LOAD_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

let loads = 0;
/** Where our loader tells what it has found; absent until it is registered. */
let finds: MessagePort | undefined;
/** The files of each load that our loader has found, by the number of the load. */
const filesOfLoad = new Map<string, Set<string>>();

const PACKAGES = `${sep}node_modules${sep}`;

interface Import {
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
function importModule(file: string, before: readonly string[]): Import {
  const require = createRequire(import.meta.url);
  // CommonJS is remembered by path, whatever the address says.
  for (const one of requiredBy(before)) delete require.cache[one];
  if (finds === undefined) {
    const { port1, port2 } = new MessageChannel();
    const data: LoaderData = { own: import.meta.url, found: port2 };
    register(`data:text/javascript,${encodeURIComponent(LOADER)}`, { data, transferList: [port2] });
    finds = port1;
  }
  loads += 1;
  const mark = String(loads);
  const url = pathToFileURL(file);
  url.searchParams.set(MARK, mark);
  return {
    exported: import(/* webpackIgnore: true */ /* @vite-ignore */ url.href),
    files: () => requiredBy(filesFound(mark)),
  };
}

function filesFound(wanted: string): readonly string[] {
  for (let next = finds && receiveMessageOnPort(finds); next; next = finds && receiveMessageOnPort(finds)) {
    const { mark, url }: { readonly mark: string; readonly url: string } = next.message;
    const files = filesOfLoad.get(mark) ?? new Set();
    filesOfLoad.set(mark, files.add(fileURLToPath(url)));
  }
  return [...(filesOfLoad.get(wanted) ?? [])];
}
