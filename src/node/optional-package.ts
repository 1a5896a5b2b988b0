/**
 * The packages that an installation may lack, each with the version that works: npm leaves them out with
 * `--omit=optional` and where they don't run, and never installs OpenTelemetry's by itself.
 */
const OPTIONAL_PACKAGES = {
  "@ai-sdk/google": 3,
  "@modelcontextprotocol/sdk": 1,
  "@opentelemetry/api": 1,
  "@photostructure/sqlite": 1,
  bullmq: 6,
  ioredis: 5,
  pg: 8,
} as const;

type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/** The modules of those packages that are imported. */
interface OptionalModules {
  readonly "@ai-sdk/google": typeof import("@ai-sdk/google");
  readonly "@modelcontextprotocol/sdk/client/index.js": typeof import("@modelcontextprotocol/sdk/client/index.js");
  readonly "@modelcontextprotocol/sdk/client/streamableHttp.js": typeof import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  readonly "@modelcontextprotocol/sdk/shared/stdio.js": typeof import("@modelcontextprotocol/sdk/shared/stdio.js");
  readonly "@modelcontextprotocol/sdk/types.js": typeof import("@modelcontextprotocol/sdk/types.js");
  readonly "@opentelemetry/api": typeof import("@opentelemetry/api");
  readonly "@photostructure/sqlite": typeof import("@photostructure/sqlite");
  readonly bullmq: typeof import("bullmq");
  readonly ioredis: typeof import("ioredis");
  readonly pg: typeof import("pg");
}

/**
 * Imports a module of an optional package. The name is no literal, so that a bundler leaves the import for the program to
 * do: nobody who bundles ours needs to have the package.
 */
export function importOptional<Name extends keyof OptionalModules>(
  name: Name,
): Promise<OptionalModules[Name]> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}

/** What to do when an optional package can't be loaded, as a sentence. */
export function installHint(name: OptionalPackage): string {
  return `Install the package it needs: npm install ${name}@${OPTIONAL_PACKAGES[name]}`;
}
