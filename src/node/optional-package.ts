import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_VERSION } from "./package-version.ts";

/**
 * The packages outside of ours, each with the version that works: of OpenTelemetry's a program must have one copy, and most
 * Nodes need no SQLite. npm leaves out the latter with `--omit=optional` and where it is not needed.
 */
const OPTIONAL_PACKAGES = {
  "@opentelemetry/api": "1",
  "tenterhook-sqlite": PACKAGE_VERSION,
} as const;

type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

interface OptionalModules {
  readonly "@opentelemetry/api": typeof import("@opentelemetry/api");
  readonly "tenterhook-sqlite": typeof import("tenterhook-sqlite");
}

/**
 * Imports an optional package. The name is no literal, so that a bundler leaves the import for the program to do: nobody who
 * bundles ours needs to have the package.
 */
export function importOptional<Name extends OptionalPackage>(name: Name): Promise<OptionalModules[Name]> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}

/** What to do when an optional package can't be loaded, as a sentence without its stop. */
export function installHint(name: OptionalPackage, own: string = fileURLToPath(import.meta.url)): string {
  return `Install the package it needs: ${installer(own)} ${name}@${OPTIONAL_PACKAGES[name]}`;
}

/** The command that installs a package where ours is found: beside it, in a project or for the user. */
function installer(own: string): string {
  const at = own.indexOf(`${sep}node_modules${sep}`);
  const isProject = at === -1 || existsSync(join(own.slice(0, at), "package.json"));
  const isGlobal = !isProject || own.includes(join(sep, "pnpm", "global", sep));
  const command = own.includes(`${sep}.pnpm${sep}`) ? "pnpm add" : "npm install";
  return isGlobal ? `${command} -g` : command;
}
