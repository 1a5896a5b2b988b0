import type { MessagePort } from "node:worker_threads";

/** The part of an address that marks a module of a hook; its value counts how often such modules were loaded. */
export const MARK = "tenterhook-module";

export interface LoaderData {
  /** A file of this package: from there its own name can be imported, whatever the project has installed. */
  readonly own: string;
  /** Gets the address of every file that is found for a load, with the mark of the load. */
  readonly found?: MessagePort;
}

/**
 * The loader of hooks' modules, for `module.register`. Only what carries the mark is touched: its relative imports are
 * marked too, so that a changed file is read again with everything around it, and types are taken out.
 *
 * It is a string because Node runs it in a thread of its own, from an address: this is the one form that is the same in
 * the sources, in the built package and in whatever a user bundles.
 */
export const LOADER = `
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const MARK = ${JSON.stringify(MARK)};
let data;

export function initialize(given) {
  data = given;
}

function markOf(url) {
  return url?.startsWith("file:") ? new URL(url).searchParams.get(MARK) : null;
}

async function firstFound(specifiers, context, next) {
  let failure;
  for (const specifier of specifiers) {
    try {
      return await next(specifier, context);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

export async function resolve(specifier, context, next) {
  const mark = markOf(context.parentURL);
  if (mark === null) return withTold(await next(specifier, context));
  if (/^tenterhook(?:\\/|$)/.test(specifier))
    return next(specifier, context).catch(() => next(specifier, { ...context, parentURL: data.own }));
  if (!/^\\.{1,2}\\//.test(specifier)) return next(specifier, context);
  const written = [specifier, specifier.replace(/js$/, "ts"), specifier + ".ts", specifier + ".js"];
  const found = await firstFound(written, context, next);
  const url = new URL(found.url);
  url.searchParams.set(MARK, mark);
  return withTold({ ...found, url: url.href });
}

function withTold(found) {
  const mark = markOf(found.url);
  if (mark === null) return found;
  const url = new URL(found.url);
  url.search = "";
  data.found?.postMessage({ mark, url: url.href });
  return found;
}

function typescript() {
  const require = createRequire(data.own);
  for (const name of ["#package/@swc/wasm-typescript", "@swc/wasm-typescript"]) {
    try {
      return require(name);
    } catch {}
  }
  throw new Error("A bundle can't read TypeScript by itself. Install what it needs where it runs: npm install @swc/wasm-typescript@1");
}

export async function load(url, context, next) {
  if (markOf(url) === null || !/\\.[mc]?ts$/.test(new URL(url).pathname)) return next(url, context);
  const compiler = typescript();
  const file = new URL(url);
  file.search = "";
  const filename = file.pathname.split("/").at(-1);
  try {
    const options = { mode: "transform", filename, sourceMap: true };
    const { code, map } = compiler.transformSync(await readFile(file, "utf8"), options);
    const mapped = "\\n//# source" + "MappingURL=data:application/json;base64," + Buffer.from(map).toString("base64");
    return { format: "module", shortCircuit: true, source: code + mapped };
  } catch (error) {
    if (error instanceof Error) throw error;
    throw new SyntaxError(error.message + " (" + filename + ":" + error.startLine + ")");
  }
}
`;
