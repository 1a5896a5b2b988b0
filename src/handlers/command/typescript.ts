import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { LOADER, type LoaderData, MARK } from "../module/loader-source.ts";

/** The flag by which Node runs TypeScript itself; before version 22.6 it can't. */
const STRIP_TYPES = "--experimental-strip-types";

/** Marks the file that Node is started with, so that the loader of modules takes the types out of it. */
const ENTRY = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (context.parentURL !== undefined || !/\\.[mc]?ts$/.test(found.url)) return found;
  return { ...found, format: "module", url: found.url + "?${MARK}=1" };
}`;

let flags: readonly string[] | undefined;

/** What Node is to be given before a script of TypeScript: its own flag, or the loader that modules of hooks have too. */
export function typescriptFlags(): readonly string[] {
  flags ??= process.allowedNodeEnvironmentFlags.has(STRIP_TYPES)
    ? [STRIP_TYPES, "--disable-warning=ExperimentalWarning"]
    : ["--import", address(registering())];
  return flags;
}

function registering(): string {
  const require = createRequire(import.meta.url);
  const data: LoaderData = {
    compiler: pathToFileURL(require.resolve("@swc/wasm-typescript")).href,
    own: import.meta.url,
  };
  return `import { register } from "node:module";
register(${JSON.stringify(address(LOADER))}, { data: ${JSON.stringify(data)} });
register(${JSON.stringify(address(ENTRY))});`;
}

function address(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
